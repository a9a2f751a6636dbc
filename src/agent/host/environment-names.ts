/** Names of environment variables: what is dropped from a child's environment, and what is set in it. */

/** Anything here can start a program, load code, name a file to write, or reach a daemon. */
export const dropped: readonly RegExp[] = [
  // The shell's own start and evaluation.
  /^(BASH_ENV|ENV|PROMPT_COMMAND|PS[0-4]|SHELLOPTS|BASHOPTS|BASH_XTRACEFD|BASH_LOADABLES_PATH|BASH_COMPAT|BASH_FUNC_.*)$/,
  /^(CDPATH|GLOBIGNORE|EXECIGNORE|FIGNORE|IFS|HISTFILE|HISTFILESIZE|HISTCONTROL|INPUTRC|TIMEFORMAT|POSIXLY_CORRECT|ZDOTDIR|OLDPWD|PWD)$/,
  // The loader and the C library.
  /^(LD_.*|DYLD_.*|GCONV_PATH|LOCPATH|NLSPATH|GLIBC_TUNABLES|MALLOC_.*|GETCONF_DIR|HOSTALIASES|RES_OPTIONS|TZDIR)$/,
  // Options that tools take from the environment.
  /^(RIPGREP_CONFIG_PATH|GREP_OPTIONS|TAR_OPTIONS|TAPE|GZIP|BZIP2?|XZ_OPT|XZ_DEFAULTS|ZSTD_.*|ZIPOPT|UNZIP|UNZIPOPT|ZIPINFO)$/,
  /^(LESS.*|MORE|MOST.*|PAGER|.*_PAGER|MANPAGER|MANOPT|MANROFFOPT|BAT_.*|DELTA_.*|FZF_.*|FD_.*|RSYNC_.*|SYSTEMD_.*)$/,
  /^(EDITOR|VISUAL|FCEDIT|.*_EDITOR|BROWSER|.*_BROWSER|TERM|COLORTERM|FORCE_COLOR|CLICOLOR_FORCE|LINES|COLUMNS)$/,
  /^(AWKPATH|AWKLIBPATH|GAWK_.*|POSIX_ME_HARDER|SQLITE_.*|PSQLRC|PGSERVICEFILE|MYSQL_HISTFILE|GDBHISTFILE|_?PARALLEL.*)$/,
  // Interpreters and build tools.
  /^(NODE_.*|PYTHON.*|PERL5?.*|RUBY.*|GEM_.*|BUNDLE_.*|LUA_.*|PHPRC|PHP_.*|R_.*|JULIA_.*|TS_NODE_.*|ELECTRON_.*|DENO_.*|BUN_.*)$/,
  /^(_JAVA_OPTIONS|JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS|JAVA_OPTS|CLASSPATH|MAVEN_.*|MVN_.*|GRADLE_OPTS|SBT_OPTS|KOTLIN_.*)$/,
  /^(GOFLAGS|GOENV|GOTOOLDIR|GOROOT_FINAL|GODEBUG|GOEXPERIMENT|GOCOVERDIR|CGO_.*|RUSTC.*|RUSTDOC.*|RUSTFLAGS|RUST_.*|CARGO_.*)$/,
  /^(MAKEFLAGS|MAKEFILES|GNUMAKEFLAGS|MFLAGS|CMAKE_.*|NINJA_.*|CCACHE_.*|SCCACHE_.*|DOTNET_.*|CORECLR_.*|COR_.*|MSBUILD.*)$/i,
  /^(npm_.*|YARN_.*|PNPM_.*|COREPACK_.*|PIP_.*|PIPX_.*|UV_.*|POETRY_.*|VIRTUALENV_.*|HOMEBREW_.*|CLOUDSDK_PYTHON.*)$/i,
  // Git, agents and daemons.
  /^(GIT_.*|SSH_.*|SUDO_.*|DBUS_.*|DOCKER_.*|BUILDKIT_.*|CONTAINER_HOST|GPG_.*|GNOME_.*|KEYCTL_.*|PINENTRY_.*)$/,
  /^(DISPLAY|WAYLAND_.*|XAUTHORITY|XDG_RUNTIME_DIR|TMUX.*|STY|VSCODE_.*|NVIM.*|VIM.*|EMACS.*|INSIDE_EMACS|TERM_.*|NOTIFY_SOCKET)$/,
  /^(KUBECTL_.*|KREW_ROOT|HELM_PLUGINS|TF_.*|GH_PATH|GH_CONFIG_DIR|AWS_CONFIG_FILE|STRACE_.*|INVOCATION_ID|JOURNAL_STREAM)$/,
  // Our own keys: a command has no use for them, and the model should never see one.
  /^(ANTHROPIC_API_KEY|OPENAI_API_KEY|GEMINI_API_KEY|GROUNDPLAN_.*)$/,
];

/** Exceptions from the patterns above: plain values that tools need. */
export const kept: ReadonlySet<string> = new Set([
  "NODE_ENV",
  "NODE_EXTRA_CA_CERTS",
  "CARGO_HOME",
  "GEM_HOME",
  "PNPM_HOME",
  "DOTNET_ROOT",
  "HOMEBREW_PREFIX",
  "npm_config_registry",
  "npm_config_prefix",
]);

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
