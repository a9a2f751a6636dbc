import { describe, expect, test } from "vitest";
import {
  childEnvironment,
  ownEnvironment,
  personalEnvironment,
  standardGitOverrides,
  workingEnvironment,
} from "./environment.ts";

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

  test.each(
    `GITHUB_TOKEN GH_TOKEN AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN NATS_PASSWORD NATS_CREDS NPM_TOKEN
    DATABASE_URL SOME_VENDOR_API_KEY SECRET ANTHROPIC_AUTH_TOKEN GROUNDPLAN_HOME GROUNDPLAN_TEAM SHELL MY_OWN_NAME`.split(
      /\s+/,
    ),
  )("B1.12 does not have %s, with the network or without", (name) => {
    const base = { [name]: "planted-secret" };
    for (const network of [false, true])
      expect(Object.values(clean(base, { network }))).not.toContain("planted-secret");
  });

  test("keeps what is only a value", () => {
    const values = { HOME: "/home/ada", LANG: "C", LC_ALL: "C", USER: "ada", JAVA_HOME: "/opt/java", NODE_ENV: "test" };
    expect(clean(values)).toMatchObject(values);
  });

  test.each([
    ["LANG", "de_DE.UTF-8", "de_DE.UTF-8"],
    ["LC_ALL", "C.utf8", "C.utf8"],
    ["LC_CTYPE", "POSIX", "POSIX"],
    ["LC_ALL", "ja_JP.SJIS", "C.UTF-8"],
    ["LANG", "zh_CN.GBK", "C.UTF-8"],
    ["LANG", "de_DE", "C.UTF-8"],
    ["LANG", "../../evil.UTF-8", "C.UTF-8"],
    ["TZ", "Europe/Berlin", "Europe/Berlin"],
    ["TZ", ":/home/ada/proj/zone", undefined],
    ["TZ", "../proj/zone", undefined],
    ["CARGO_HOME", "/home/ada/.cargo", "/home/ada/.cargo"],
    ["CARGO_HOME", "/home/ada/proj/.cargo", undefined],
    ["GOPATH", "/home/ada/go:go", undefined],
  ])("B1.12 %s=%s becomes %s", (name, was, is) => {
    expect(clean({ [name]: was })[name]).toBe(is);
  });

  test("knows docker's address only with the network, and none with a password in it", () => {
    const base = { DOCKER_HOST: "unix:///run/docker.sock", HTTPS_PROXY: "http://ada:secret@proxy:3128" };
    expect(clean(base)).not.toHaveProperty("DOCKER_HOST");
    const reaching = clean(base, { network: true });
    expect([reaching["DOCKER_HOST"], reaching["HTTPS_PROXY"]]).toEqual(["unix:///run/docker.sock", undefined]);
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

describe("the environment in working mode", () => {
  test("is the person's own without what starts programs behind a command", () => {
    const environment = workingEnvironment({
      base: { BASH_ENV: "./evil", "BASH_FUNC_ls%%": "() { :; }", NODE_OPTIONS: "--max-old-space-size=1", A: "1" },
    });
    expect(environment).toMatchObject({ NODE_OPTIONS: "--max-old-space-size=1", A: "1", PAGER: "cat", TERM: "dumb" });
    expect(Object.keys(environment).filter((name) => name.startsWith("BASH"))).toEqual([]);
  });

  test("B1.12 has the person's tokens, but no model's key and no folder of packages on its PATH", () => {
    const path = "/home/ada/proj/node_modules/.bin:./bin:/home/ada/.venv/bin:/usr/bin";
    const environment = workingEnvironment({ base: { OPENAI_API_KEY: "k", GITHUB_TOKEN: "t", PATH: path } });
    expect(environment).toMatchObject({ GITHUB_TOKEN: "t", PATH: "/home/ada/.venv/bin:/usr/bin" });
    expect(environment).not.toHaveProperty("OPENAI_API_KEY");
  });
});

describe("the environment of what only a mode let through", () => {
  test("B1.12 is the working one without the person's tokens", () => {
    const secrets = {
      GITHUB_TOKEN: "t",
      AWS_PROFILE: "p",
      MY_API_KEY: "k",
      DB_PASSWORD: "w",
      NATS_CREDS: "c",
      NPM_TOKEN: "n",
    };
    const plain = { SSH_AUTH_SOCK: "/run/agent", KEYBOARD: "de", NODE_OPTIONS: "-x", PASSAGE: "1" };
    const environment = workingEnvironment({ base: { ...secrets, ...plain }, unasked: true });
    expect(environment).toMatchObject(plain);
    expect(Object.keys(environment).filter((name) => name in secrets)).toEqual([]);
  });
});

describe("the environment of our own programs", () => {
  const place = "/home/ada/proj";

  test("B1.12 git and the search have a cleaned one in a plain locale", () => {
    const base = { PATH: `${place}/bin:/usr/bin`, GIT_DIR: "/elsewhere", GITHUB_TOKEN: "t", LANG: "de_DE.UTF-8" };
    const environment = ownEnvironment(place, { base });
    expect(environment).toMatchObject({ PATH: "/usr/bin", LC_ALL: "C", GIT_OPTIONAL_LOCKS: "0" });
    expect(Object.keys(environment).filter((name) => /^(GIT_DIR|GITHUB_TOKEN)$/.test(name))).toEqual([]);
  });

  test("B1.12 the person's editor and browser have their own, without keys and programs of the project", () => {
    const base = { PATH: `${place}/bin:/usr/bin`, GEMINI_API_KEY: "k", DISPLAY: ":0" };
    expect(personalEnvironment(base, place)).toEqual({ PATH: "/usr/bin", DISPLAY: ":0" });
  });
});
