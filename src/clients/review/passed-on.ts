/** What of a hook's environment reaches the page process. */

/** What a browser is found and started with, and our own settings; keys of any kind stay here. */
export function passedOn(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    passedNames.flatMap((name) => {
      const value = environment[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

const passedNames = (
  "PATH HOME USER LOGNAME LANG TZ TMPDIR SHELL DISPLAY WAYLAND_DISPLAY XAUTHORITY BROWSER SSH_CONNECTION " +
  "DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR XDG_CURRENT_DESKTOP XDG_SESSION_TYPE XDG_DATA_DIRS XDG_DATA_HOME " +
  "XDG_CONFIG_HOME XDG_CONFIG_DIRS WSL_DISTRO_NAME WSL_INTEROP SystemRoot USERPROFILE APPDATA LOCALAPPDATA " +
  "GROUNDPLAN_REVIEW"
).split(" ");
