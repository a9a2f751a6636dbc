#!/usr/bin/env bash
# A CI job in two steps: plan without touching anything, then carry out exactly the plan that somebody approved.
#   examples/ci/plan-then-approve.sh plan "add a health check"     writes plan.json, exit code 0 when a plan is ready
#   examples/ci/plan-then-approve.sh work <session> <hash>         approves that very text and lets the work be done; fails when it could not be
set -euo pipefail
groundplan=${GROUNDPLAN:-groundplan}

case "$1" in
  plan)
    code=0
    $groundplan -p "$2" --permission-mode plan --output-format json </dev/null >plan.json || code=$?
    [ "$code" -eq 3 ] || { echo "no plan (exit code $code)"; node -p 'JSON.parse(require("node:fs").readFileSync("plan.json", "utf8")).result' 2>/dev/null; exit 1; }
    node -e '
      const { plan, sessionId, denials } = JSON.parse(require("node:fs").readFileSync("plan.json", "utf8"));
      console.log(plan.text);
      console.log(`session ${sessionId}\nhash ${plan.hash}\n${denials.length} attempt(s) to change something were refused`);
    '
    ;;
  work)
    $groundplan -p --resume "$2" --approve "$3" --permission-mode acceptEdits --output-format json
    ;;
  *)
    echo "usage: $0 plan <task> | work <session> <hash>" >&2
    exit 2
    ;;
esac
