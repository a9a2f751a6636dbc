/** Names of environment variables: what a child may have, and what is set in it. */

/** Plain values that programs need; whatever is not here does not reach a command that nobody was asked about. */
export const allowed: ReadonlySet<string> = new Set(
  "HOME USER LOGNAME TMPDIR CI NODE_ENV NO_COLOR SOURCE_DATE_EPOCH".split(" "),
);

/** Folders and files where the person's tools live: kept when they are absolute and not in the project. */
export const allowedPlaces: ReadonlySet<string> = new Set(
  `JAVA_HOME GOROOT GOPATH CARGO_HOME RUSTUP_HOME NVM_DIR PYENV_ROOT RBENV_ROOT NODENV_ROOT ASDF_DIR ASDF_DATA_DIR VOLTA_HOME
  FNM_DIR MISE_DATA_DIR SDKMAN_DIR PNPM_HOME GEM_HOME DOTNET_ROOT ANDROID_HOME ANDROID_SDK_ROOT HOMEBREW_PREFIX
  HOMEBREW_CELLAR HOMEBREW_REPOSITORY XDG_CONFIG_HOME XDG_DATA_HOME XDG_DATA_DIRS XDG_CONFIG_DIRS MANPATH INFOPATH
  TERMINFO SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS NIX_PROFILES npm_config_prefix`.split(/\s+/),
);

/** What a proved query may know besides: where its service is, never who asks. */
export const allowedAddresses: ReadonlySet<string> = new Set(
  `DOCKER_HOST DOCKER_CONTEXT CONTAINER_HOST XDG_RUNTIME_DIR KUBECONFIG GH_HOST GH_REPO GITLAB_HOST npm_config_registry
  HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY http_proxy https_proxy all_proxy no_proxy AWS_REGION AWS_DEFAULT_REGION AWS_PROFILE`.split(
    /\s+/,
  ),
);

export const localeNames = /^(LANG|LC_[A-Z]+)$/;
/** Other encodings have bytes that a shell reads otherwise than we do. */
export const plainLocale = /^(C|POSIX|[A-Za-z]{1,8}(_[A-Za-z]{2,8})?\.utf-?8(@[a-z]+)?)$/i;
export const plainZone = /^[A-Za-z0-9_+-]+(\/[A-Za-z0-9_+-]+)*$/;

/** Working mode keeps the person's environment, without what runs before or around every command. */
export const droppedFromWorking: readonly RegExp[] = [
  /^(BASH_ENV|ENV|PROMPT_COMMAND|PS[0-4]|SHELLOPTS|BASHOPTS|BASH_XTRACEFD|BASH_FUNC_.*|GLOBIGNORE|CDPATH|IFS)$/,
  /^(RIPGREP_CONFIG_PATH|GREP_OPTIONS|LESSOPEN|LESSCLOSE|LD_AUDIT|GIT_(DIR|WORK_TREE|INDEX_FILE|TRACE.*|CONFIG.*|EXTERNAL_DIFF))$/,
];

/** Working mode: nobody sits at the command, so nothing may page, open an editor or ask. */
export const quietWorking: Readonly<Record<string, string>> = {
  TERM: "dumb",
  NO_COLOR: "1",
  PAGER: "cat",
  GIT_PAGER: "cat",
  MANPAGER: "cat",
  GH_PAGER: "cat",
  AWS_PAGER: "",
  SYSTEMD_PAGER: "cat",
  EDITOR: "false",
  VISUAL: "false",
  GIT_EDITOR: "false",
  GIT_SEQUENCE_EDITOR: "true",
  GIT_TERMINAL_PROMPT: "0",
  GH_PROMPT_DISABLED: "1",
  NO_UPDATE_NOTIFIER: "1",
  GH_NO_UPDATE_NOTIFIER: "1",
  npm_config_update_notifier: "false",
  PIP_NO_INPUT: "1",
  PIP_DISABLE_PIP_VERSION_CHECK: "1",
  DEBIAN_FRONTEND: "noninteractive",
};

/** Plan mode: besides, no locks, histories, logs, byte code, downloads or reports of use. */
export const quiet: Readonly<Record<string, string>> = {
  ...quietWorking,
  GIT_SEQUENCE_EDITOR: "false",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_ASKPASS: "false",
  GIT_NO_LAZY_FETCH: "1",
  GIT_TRACE2: "0",
  GIT_TRACE2_EVENT: "0",
  GIT_TRACE2_PERF: "0",
  GIT_ATTR_NOSYSTEM: "1",
  SSH_ASKPASS: "false",
  SUDO_ASKPASS: "false",
  BROWSER: "false",
  GH_BROWSER: "false",
  LESSSECURE: "1",
  MANWIDTH: "100",
  LESSHISTFILE: "-",
  HISTFILE: "/dev/null",
  SQLITE_HISTORY: "/dev/null",
  MYSQL_HISTFILE: "/dev/null",
  PSQL_HISTORY: "/dev/null",
  PYTHON_HISTORY: "/dev/null",
  NODE_REPL_HISTORY: "",
  PYTHONDONTWRITEBYTECODE: "1",
  npm_config_fund: "false",
  npm_config_audit: "false",
  npm_config_logs_max: "0",
  COREPACK_ENABLE_DOWNLOAD_PROMPT: "0",
  COREPACK_ENABLE_NETWORK: "0",
  COREPACK_ENABLE_AUTO_PIN: "0",
  YARN_ENABLE_TELEMETRY: "0",
  GOTOOLCHAIN: "local",
  GOTELEMETRY: "off",
  GOFLAGS: "",
  GOPROXY: "off",
  GONOPROXY: "none",
  CARGO_NET_OFFLINE: "true",
  RUSTUP_AUTO_INSTALL: "0",
  CHECKPOINT_DISABLE: "1",
  DO_NOT_TRACK: "1",
  HOMEBREW_NO_AUTO_UPDATE: "1",
  HOMEBREW_NO_ANALYTICS: "1",
  DOTNET_CLI_TELEMETRY_OPTOUT: "1",
  DOTNET_NOLOGO: "1",
  DOTNET_SKIP_FIRST_TIME_EXPERIENCE: "1",
  NEXT_TELEMETRY_DISABLED: "1",
  CLOUDSDK_CORE_DISABLE_PROMPTS: "1",
  CLOUDSDK_CORE_DISABLE_FILE_LOGGING: "1",
  CLOUDSDK_CORE_DISABLE_USAGE_REPORTING: "1",
  CLOUDSDK_COMPONENT_MANAGER_DISABLE_UPDATE_CHECK: "1",
  POWERSHELL_UPDATECHECK: "Off",
};

/** Without a network nobody tries for long. */
export const offline: Readonly<Record<string, string>> = {
  npm_config_offline: "true",
  npm_config_fetch_retries: "0",
  PIP_RETRIES: "0",
  PIP_DEFAULT_TIMEOUT: "2",
};

/** Names under which people keep what lets a program act for them. */
export const token =
  /(^|_)(TOKENS?|SECRETS?|PASSWORD|PASSWD|PASSPHRASE|KEY|APIKEY|CREDENTIALS?|CREDS|NKEY|JWT)(_|$)|^(AWS|NATS)_/i;
