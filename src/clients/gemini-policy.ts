/** The policy that goes with Gemini CLI's entry: the client itself knows its mode, and by this refuses what no hook has put right. */
import { loadPrompts } from "../prompts/index.ts";
import { cagedCommand } from "./caged/caged-text.ts";
import { approvedPrefix, policyMark } from "./gemini-marks.ts";

/**
 * Only in plan mode, in the person's tier above whatever they allowed: the shell runs nothing but a command that our hook
 * put into our cage, MCP tools do not run, and a plan is not approved by itself. A hook that is not there, or
 * that the client ends, opens nothing.
 */
export function geminiPolicy({ launcher }: { readonly launcher: string }): string {
  const prompts = loadPrompts();
  const caged = `\\x00"command":"${pattern(jsonText(cagedStart(launcher)))}[A-Za-z0-9_-]+"\\x00`;
  const approved = `${approvedPrefix}[0-9a-f]{64}\\.md`;
  const rules = [
    {
      toolName: ["write_file", "replace"],
      argsPattern: `\\x00"file_path":"[^\\x00]*${approvedPrefix}`,
      decision: "deny",
      priority: 999,
      denyMessage: message(prompts("clients-gemini/approved-file")),
    },
    { toolName: "run_shell_command", argsPattern: caged, decision: "allow", priority: 999 },
    {
      toolName: "exit_plan_mode",
      argsPattern: `\\x00"plan_filename":"${approved}"\\x00`,
      decision: "allow",
      priority: 999,
    },
    {
      toolName: "run_shell_command",
      decision: "deny",
      priority: 998,
      denyMessage: message(prompts("clients-gemini/shell")),
    },
    {
      toolName: "exit_plan_mode",
      decision: "deny",
      priority: 998,
      interactive: false,
      denyMessage: message(prompts("clients-gemini/exit")),
    },
    {
      toolName: "*",
      mcpName: "*",
      decision: "deny",
      priority: 998,
      denyMessage: message(prompts("clients-gemini/external")),
    },
  ];
  return `# ${policyMark} Written by \`groundplan install gemini\`, taken away by \`groundplan uninstall gemini\`.\n${rules.map(ruleText).join("")}`;
}

function ruleText(rule: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(rule).map(([name, value]) => {
    const isReady = name === "denyMessage";
    return `${name} = ${isReady ? String(value) : JSON.stringify(value)}\n`;
  });
  return `\n[[rule]]\n${lines.join("")}modes = ["plan"]\n`;
}

function message(text: string): string {
  return JSON.stringify(`${policyMark} ${text}`);
}

/** A caged command up to what is packed. */
function cagedStart(launcher: string): string {
  const whole = cagedCommand({ launcher, command: "x", directory: "/" }) ?? "";
  return whole.slice(0, whole.lastIndexOf(" ") + 1);
}

function jsonText(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function pattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
