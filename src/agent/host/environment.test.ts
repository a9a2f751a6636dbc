import { describe, expect, test } from "vitest";
import { childEnvironment, ownEnvironment, personalEnvironment, standardGitOverrides, workingEnvironment } from "./environment.ts";

const request = { projectRoots: ["/home/ada/proj"], scratch: "/tmp", gitOverrides: [], network: false };
const clean = (base: Record<string, string>, more: { network?: boolean; scratch?: null } = {}) =>
  childEnvironment({ ...request, base, ...more });

const rule = (network: boolean, key: string) =>
  standardGitOverrides({ network }).find((override) => override.key === key)?.value;

describe("the environment of a child", () => {
  test.each(
    `BASH_ENV ENV PROMPT_COMMAND PS4 SHELLOPTS BASHOPTS BASH_FUNC_ls%% LD_PRELOAD LD_AUDIT DYLD_INSERT_LIBRARIES
    RIPGREP_CONFIG_PATH LESSOPEN LESSCLOSE GREP_OPTIONS NODE_OPTIONS PYTHONSTARTUP PYTHONPATH PERL5OPT PERL5LIB RUBYOPT
    GIT_DIR GIT_EXTERNAL_DIFF GIT_SSH_COMMAND GIT_TRACE GIT_CONFIG_PARAMETERS SSH_AUTH_SOCK DBUS_SESSION_BUS_ADDRESS
    DOCKER_HOST JAVA_TOOL_OPTIONS _JAVA_OPTIONS NPM_CONFIG_SCRIPT_SHELL npm_config_node_options TAR_OPTIONS AWKPATH
    GOCOVERDIR RUSTC_WRAPPER MAKEFLAGS GCONV_PATH DISPLAY XDG_RUNTIME_DIR ANTHROPIC_API_KEY OPENAI_API_KEY
    GEMINI_API_KEY OLDPWD CDPATH BAT_CONFIG_PATH FZF_DEFAULT_COMMAND LUA_INIT GPG_AGENT_INFO VSCODE_GIT_ASKPASS_NODE`.split(
      /\s+/,
    ),
  )("B1.5 does not have %s", (name) => {
    expect(clean({ [name]: "./evil" })).not.toHaveProperty([name]);
  });

  test.each([
    ["PAGER", "less", "cat"],
    ["GIT_PAGER", "./evil", "cat"],
    ["MANPAGER", "./evil", "cat"],
    ["EDITOR", "vi", "false"],
    ["GIT_EDITOR", "vi", "false"],
    ["GOFLAGS", "-toolexec=./evil", ""],
    ["TERM", "xterm-256color", "dumb"],
    ["GIT_OPTIONAL_LOCKS", "1", "0"],
    ["GIT_ASKPASS", "./evil", "false"],
    ["npm_config_update_notifier", "true", "false"],
    ["PYTHONDONTWRITEBYTECODE", "", "1"],
    ["TMPDIR", "/var/tmp", "/tmp"],
    ["XDG_CACHE_HOME", "/home/ada/.cache", "/tmp/cache"],
  ])("B1.5 has %s, whatever it was, set to what is harmless", (name, was, is) => {
    expect(clean({ [name]: was })[name]).toBe(is);
  });

  test("keeps what is only a value", () => {
    const values = { HOME: "/home/ada", LANG: "C", LC_ALL: "C", USER: "ada", JAVA_HOME: "/opt/java", NODE_ENV: "test" };
    expect(clean(values)).toMatchObject(values);
  });

  test("knows docker's address only with the network", () => {
    const base = { DOCKER_HOST: "unix:///run/docker.sock" };
    expect(clean(base, { network: true })["DOCKER_HOST"]).toBe("unix:///run/docker.sock");
  });

  test("leaves temporary files where they are without scratch", () => {
    expect(clean({ TMPDIR: "/var/tmp" }, { scratch: null })["TMPDIR"]).toBe("/var/tmp");
  });

  test("B1.5 tells git its own settings first, and the repository's programs after", () => {
    const override = { key: "filter.x.clean", value: "" };
    const environment = childEnvironment({ ...request, base: {}, gitOverrides: [override] });
    const count = standardGitOverrides({ network: false }).length + 1;
    expect(environment["GIT_CONFIG_COUNT"]).toBe(String(count));
    expect(environment[`GIT_CONFIG_KEY_${count - 1}`]).toBe("filter.x.clean");
    expect(environment[`GIT_CONFIG_VALUE_${count - 1}`]).toBe("");
    expect(environment["GIT_CONFIG_KEY_1"]).toBe("core.fsmonitor");
    expect(environment["GIT_CONFIG_VALUE_1"]).toBe("false");
  });

  test("lets git use the network only over https, and only when there is one", () => {
    expect([rule(false, "protocol.https.allow"), rule(true, "protocol.https.allow")]).toEqual(["never", "always"]);
    expect([rule(true, "protocol.ext.allow"), rule(true, "protocol.ssh.allow")]).toEqual(["never", "never"]);
  });
});
