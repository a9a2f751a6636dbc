/** Proved reading queries of services and daemons: they need the network, and nothing else. */
import type { ShellCall, Rule, Table } from "../call.ts";
import { each } from "../call.ts";
import { judgeWith, parseOptions, show, valuesFor } from "../options.ts";
import type { ShellRefusal } from "../walk.ts";
import { unproven, writes } from "../walk.ts";
import { merge, paths, program } from "./subcommands.ts";
import { guarded } from "./toolchain.ts";

const ghOptions = "-R= --repo= --json= -q= --jq= -t= --template= -L= --limit= ";
const ghLists =
  "-s= --state= -a= --assignee= -A= --author= -l= --label= -S= --search= -B= --base= -H= --head= -m= --milestone= --mention= --app= -d --draft --workflow= -b= --branch= -u= --user= --status= -e= --event= -c= --commit= --created= --actor= -o= --owner= --org= --env= --language= --topic= --visibility= --fork --source --no-archived --archived --order= --sort= --public --secret --exclude-drafts --exclude-pre-releases --include-content --filter= --created-before= --all -k= --key= --ref= --closed= --updated= --comments= --merged --merged-at= --review= --reviewed-by= --checks= --involves= --commenter= --match= --stars= --forks= --size= --license= --extension= --filename= --no-assignee --no-label --locked --number= --format= --field= --closed --active --parents --repo-name= --include-prs --author-date= --hash= --followers= --good-first-issues= --archived? ";
const ghViews =
  "-c --comments -y --yaml -v --verbose --log --log-failed --job= -j= --exit-status --attempt= -r= --ref= -b= --branch= -f= --filename= --files --raw -n= --name-only --patch --color= --required --watch -i= --interval= --fail-fast -t= --active ";

const gh = program({
  globals: "-R= --repo=",
  bare: "",
  helps: true,
  booleans: true,
  network: true,
  branches: () =>
    merge(
      paths(
        "pr list, pr status, issue list, issue status, repo list, workflow list, release list, gist list, label list, secret list, variable list, variable get, cache list, ruleset list, project list, project view, project item-list, project field-list, ssh-key list, gpg-key list, org list, codespace list, extension list, alias list, config list, config get, search repos, search issues, search prs, search code, search commits, status, auth status, repo deploy-key list, repo autolink list, pr ls, issue ls, release ls, repo ls",
        `${ghOptions}${ghLists}| data*`,
      ),
      paths("run list, run ls", `${ghOptions}${ghLists}-w= | data*`),
      paths(
        "pr view, pr diff, pr checks, issue view, repo view, run view, workflow view, release view, gist view, ruleset view, ruleset check, label view, repo license view, repo gitignore view",
        `${ghOptions}${ghViews}| data*`,
      ),
      { api: ghApi, version: "", help: "| data*" },
    ),
});

/** GET only; a field makes it a POST, except in a GraphQL query. */
function ghApi(call: ShellCall): ShellRefusal | null {
  const parsed = parseOptions(
    call,
    "-H= --header= -q= --jq= -t= --template= -p= --preview= -i --include --paginate --slurp --silent --verbose -X= --method= -f= -F= --raw-field= --field= --input!",
  );
  if ("judgement" in parsed) return parsed;
  const { options, operands } = parsed;
  const methods = valuesFor(parsed, "-X", "--method");
  const changing = methods.find(({ text }) => !/^(GET|HEAD|get|head)$/.test(text ?? ""));
  if (changing !== undefined) return writes(`gh api ${show(changing)}`, changing.span);
  const [endpoint, ...more] = operands;
  if (!endpoint?.text || more.length > 0 || /^([a-z]+:)?\/\//i.test(endpoint.text))
    return unproven("gh api needs one literal path", call.span);
  const headers = call.args.find(
    (arg, index) =>
      /x-http-method/i.test(arg.text ?? arg.head) ||
      (arg.text === null && /^(-H|--header)/.test(arg.head || (call.args[index - 1]?.text ?? ""))),
  );
  if (headers !== undefined) return unproven("a header changes the method", headers.span);
  const fields = ["-f", "-F", "--raw-field", "--field"].some((name) => options.has(name));
  if (!fields || (methods.length > 0 && endpoint.text !== "graphql")) return null;
  const values = call.args.filter(
    (arg) => arg.text === null || /(^|=|-[fF])query=/.test(arg.text) || /mutation|^@|=@/i.test(arg.text),
  );
  const harmless =
    values.length > 0 &&
    values.every(
      (arg) =>
        /^(-[fF]|--(raw-)?field=)?query=\s*(query\b|\{)/.test(arg.text ?? "") &&
        !/mutation|subscription/i.test(arg.text!),
    );
  return endpoint.text === "graphql" && harmless ? null : writes("gh api with fields sends them", call.span);
}

const kubeOptions =
  "-n= --namespace= -A --all-namespaces --context= --cluster= --request-timeout= -l= --selector= -o= --output= --no-headers --show-labels -w --watch --watch-only --field-selector= --sort-by= --show-kind -L= --label-columns= --ignore-not-found --chunk-size= --subresource= -R --recursive --all-containers -c= --container= --tail= --since= --since-time= --timestamps -f --follow -p --previous --prefix --max-log-requests= --limit-bytes= --ignore-errors --containers --use-protocol-buffers --show-events --revision= --timeout= --client --short --api-group= --namespaced? --verbs= --categories= --cached --no-headers? --minify --flatten --merge --list --as= --as-group= -q --quiet --types= --for= --api-version= --sum --show-managed-fields --template= --allow-missing-template-keys? --sort-by= --server-print? -v=";

const kubectl = program({
  globals: "-n= --namespace= --context= --cluster= --request-timeout= -v= --as=",
  bare: "",
  helps: true,
  booleans: true,
  network: true,
  branches: () =>
    paths(
      "get, describe, logs, log, top node, top nodes, top pod, top pods, explain, version, cluster-info, api-resources, api-versions, config view, config get-contexts, config current-context, config get-clusters, config get-users, auth can-i, auth whoami, rollout status, rollout history, events, wait, options, plugin list",
      `${kubeOptions} | data*`,
    ),
  writers:
    "apply create delete edit patch replace scale autoscale expose run set label annotate taint cordon uncordon drain exec attach cp port-forward proxy rollout debug certificate krew",
});

const kubectlRule: Rule = (call) => {
  const raw = call.args.find((arg) =>
    /^--(raw|output-directory|filename)|^-f$|(custom-columns-file|go-?template-file|jsonpath-file|templatefile)\b|dump/.test(
      arg.text ?? "",
    ),
  );
  const follows =
    raw?.text === "-f" &&
    /^logs?$/.test(call.args.find((arg) => arg.text !== null && !arg.text.startsWith("-"))?.text ?? "");
  return raw !== undefined && !follows ? unproven(`kubectl ${show(raw)}`, raw.span) : kubectl(call);
};

const dockerOptions =
  "-a --all -q --quiet -f= --filter= --format= --no-trunc -n= --last= -l --latest -s --size --digests --tree --no-stream --tail= --since= --until= -t --timestamps --details --follow -H --human --type= --limit= -v --verbose --no-resolve --no-legend --services --hash= --images --volumes --profiles --environment --no-interpolate --resolve-image-digests --no-log-prefix --no-color --index= --protocol= --json --orphans --status= --raw --short --builder=";
const logsOptions =
  "-f --follow --tail= --since= --until= -t --timestamps --details -n= --raw --no-log-prefix --no-color --index= --no-trunc --no-resolve --no-task-ids";

const docker = program({
  globals: "--context= -c= -D -l= --log-level=",
  bare: "",
  helps: true,
  booleans: true,
  network: true,
  branches: () =>
    merge(
      paths(
        "ps, images, inspect, top, stats, port, diff, version, info, events, history, search, image ls, image list, image inspect, image history, container ls, container list, container ps, container inspect, container top, container stats, container port, container diff, network ls, network list, network inspect, volume ls, volume list, volume inspect, system df, system info, system events, context ls, context list, context show, context inspect, node ls, node inspect, node ps, service ls, service ps, service inspect, stack ls, stack ps, stack services, stack config, secret ls, secret inspect, config ls, config inspect, plugin ls, plugin inspect, manifest inspect, buildx ls, buildx du, buildx version, buildx inspect, trust inspect, pod ls, pod ps, pod inspect, machine ls, machine list, builder du",
        `${dockerOptions} | data*`,
      ),
      paths("logs, container logs, service logs, pod logs", `${logsOptions} | data*`),
      { compose: composeBranches() },
    ),
  writers:
    "run exec create start stop restart kill rm rmi pull push build commit cp tag save load import export login logout attach pause unpause update rename wait prune system network volume swarm",
});

function composeBranches(): Rule {
  return program({
    globals: "-f=< --file=< -p= --project-name= --profile= --env-file=< --project-directory= --ansi= --progress=",
    network: true,
    branches: () =>
      merge(
        paths("ps, ls, images, top, version, port, config, events, volumes", `${dockerOptions} | data*`),
        paths("logs", `${logsOptions} | data*`),
      ),
    writers: "up down start stop restart build pull push run exec create rm kill pause unpause cp scale watch",
  });
}

const helm = program({
  globals: "-n= --namespace= --kube-context=",
  bare: "",
  helps: true,
  booleans: true,
  network: true,
  branches: () =>
    merge(
      paths(
        "lint, template",
        "-f=< -n= -s= --values=< --set= --set-string= --namespace= --show-only= --include-crds --strict --debug | data*",
      ),
      paths(
        "list, ls, status, history, get all, get values, get manifest, get notes, get hooks, get metadata, show all, show chart, show values, show readme, show crds, search repo, search hub, version, env, repo list, repo ls, plugin list, plugin ls, dependency list, dep list, inspect values",
        "-A -a -n= -o= -q -l= -m= -f= -d -r --all-namespaces --namespace= --output= --all --short --filter= --max= --deployed --failed --pending --revision= --version= --versions --regexp --date --reverse --devel --kube-context= --jsonpath= --client --template= --max-col-width= --selector= --superseded --uninstalled --show-desc --show-resources | data*",
      ),
    ),
  writers: "install upgrade uninstall delete rollback repo push pull package create test plugin dependency registry",
});

const formatCheck: Rule = (call) =>
  judgeWith(call, ". -check -diff -recursive -no-color | in*", {
    names: "-check",
    otherwise: writes("terraform fmt rewrites files", call.span),
  });

/** Providers are programs of the project: only what does not start them. */
const terraform = program({
  globals: "-version -help",
  bare: "",
  helps: true,
  network: true,
  branches: () =>
    merge(
      paths(
        "version, output, workspace list, workspace show, state list, metadata functions",
        "-json -raw -no-color -state=< -id= | data*",
      ),
      paths("show, state show", guarded("terraform", "-json -no-color -state=< | data*")),
      paths("validate", guarded("terraform", "-json -no-color")),
      paths("graph", guarded("terraform", "-draw-cycles -type= -no-color")),
      { providers: "", fmt: formatCheck },
    ),
  writers: "apply destroy import taint untaint init refresh plan workspace state force-unlock login logout",
});

/** Options come in pairs; no operation of these names writes a file. */
const aws: Rule = (call) => {
  const [service, operation, ...rest] = call.args;
  if (call.args.length === 1 && service!.text === "--version") return null;
  if (call.args.length === 2 && service!.text === "configure" && operation!.text === "list") return null;
  const reading =
    service?.text === "s3"
      ? operation?.text === "ls"
      : /^(describe-[a-z0-9-]+|list-[a-z0-9-]+|get-caller-identity|get-bucket-[a-z-]+|get-user|get-role|get-policy|get-function|get-parameter|get-parameters|get-log-events|get-metric-statistics)$/.test(
          operation?.text ?? "",
        );
  if (!/^[a-z][a-z0-9-]*$/.test(service?.text ?? "") || !reading)
    return unproven(`aws ${operation?.text ?? ""} is not known to only read`, call.span);
  const foreign = rest.find(
    (arg) =>
      arg.text === null ||
      /^--(endpoint-url|cli-input|ca-bundle|no-verify-ssl|with-decryption)|:\/\/(?<!s3:\/\/)/.test(arg.text),
  );
  if (foreign !== undefined) return unproven(`aws ${show(foreign)}`, foreign.span);
  call.walk.findings.network = true;
  return null;
};

/** `scheme://`, `user@host:`, and a first folder that is a host: `host.name/owner/name`, `host:5000/image`. */
const namesHost =
  /[a-z][\w+.-]*:\/\/|^[\w.-]+@[\w.-]+:|\.git(#|$)|^(-R|--repo=|-R=)?(localhost|[\w-]+(\.[\w-]+)*:\d+|[\w-]+(\.[\w-]+)*\.[a-z]{2,}(:\d+)?)\/[\w@-]/i;
/** Images and paths of files have hosts and folders in them without being asked for there. */
const local = /^(ps|images|inspect|history|get|describe|logs?|image|container|config|template|lint|compose|api)$/;

/** A query of a host that the command itself names is never a proved one. */
function withoutAddress(rule: Rule): Rule {
  return (call) => {
    const [verb] = call.args;
    const any = /[a-z][\w+.-]*:\/\/|^[\w.-]+@[\w.-]+:/i;
    const pattern = call.name !== "gh" && call.name !== "glab" && local.test(verb?.text ?? "") ? any : namesHost;
    const address = call.args.find((arg) => pattern.test(arg.text ?? arg.head));
    return address === undefined
      ? rule(call)
      : unproven(`${call.name}: the address ${show(address)} is not a proved query`, address.span);
  };
}

export const services: Table = {
  gh: withoutAddress(gh),
  ...each("kubectl oc", withoutAddress(kubectlRule)),
  ...each("docker podman nerdctl", withoutAddress(docker)),
  "docker-compose": withoutAddress(composeBranches()),
  helm: withoutAddress(helm),
  ...each("terraform tofu", withoutAddress(terraform)),
  aws,
  kubectx: (call) =>
    call.args.length === 0 || call.args[0]!.text === "-c" ? null : writes("kubectx switches the context", call.span),
  glab: withoutAddress(
    program({
      network: true,
      bare: "",
      globals: "-R= --repo=",
      branches: () =>
        paths(
          "mr list, mr view, mr diff, issue list, issue view, ci list, ci status, ci view, repo view, release list, release view, auth status, label list, pipeline list",
          "-R= --repo= -P= --per-page= -p= --page= -l= --label= -a= --assignee= -s= --state= --all -A -c --comments -F= --output= | data*",
        ),
    }),
  ),
  minikube: program({
    network: true,
    branches: () => paths("status, version, profile list, ip, addons list", "-o= --output= -p= | data*"),
    writers: "start stop delete tunnel addons mount ssh",
  }),
};
