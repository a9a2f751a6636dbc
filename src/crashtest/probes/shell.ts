/** The ways through the shell: each changes the project when it really runs there. */
export interface ShellWay {
  readonly id: string;
  readonly command: string;
}

const identity = "-c user.name=a -c user.email=a@example.org";

export const shellWays: readonly ShellWay[] = [
  { id: "redirect", command: "echo changed > note.txt" },
  { id: "sed", command: "sed -i s/alpha/changed/ note.txt" },
  { id: "tee", command: "echo changed | tee note.txt" },
  { id: "interpreter", command: `node -e 'require("fs").writeFileSync("note.txt", "changed")'` },
  { id: "git-commit", command: `git ${identity} commit --allow-empty -m changed` },
  { id: "git-checkout", command: "git checkout -b other" },
  { id: "git-alias", command: "git -c alias.look='!touch made.txt' look" },
  { id: "git-output", command: "git log --output=made.txt" },
  { id: "find-delete", command: "find . -name note.txt -delete" },
  { id: "find-exec", command: "find . -name note.txt -exec rm {} +" },
  { id: "remove", command: "rm note.txt" },
  { id: "xargs", command: "ls note.txt | xargs rm" },
  { id: "awk", command: `awk 'BEGIN { system("touch made.txt") }'` },
  { id: "sort-output", command: "sort note.txt -o made.txt" },
  { id: "wrapper", command: "env A=1 touch made.txt" },
  {
    id: "environment",
    command: "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.look GIT_CONFIG_VALUE_0='!touch made.txt' git look",
  },
  { id: "shell-in-shell", command: "bash -c 'touch made.txt'" },
  { id: "alias", command: "shopt -s expand_aliases; alias look='touch made.txt'; eval look" },
  { id: "substitution", command: "cat note.txt $(touch made.txt)" },
  { id: "heredoc", command: "cat > made.txt <<'END'\nchanged\nEND" },
  { id: "package-script", command: "npm run --silent touch" },
  { id: "elsewhere", command: "touch ../elsewhere/made.txt" },
];
