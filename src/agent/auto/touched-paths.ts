/** What auto mode thinks of a path: secrets, places outside of the project, files that run by themselves. */
import { isInside, placeOf } from "../../core/decide/access.ts";
import { ask, deny, open, type Finding } from "./finding.ts";

export interface Ground {
  /** The project and added directories, canonical. */
  readonly roots: readonly string[];
  readonly home: string;
}

/** Findings on one absolute path that a call reads or changes. */
export function judgeTouched(path: string, ground: Ground): readonly Finding[] {
  if (harmless.has(path)) return [];
  const plain = path.replaceAll("\\", "/").toLowerCase();
  if (isPrivate(plain)) return [deny(`${path} holds keys or credentials`)];
  const findings: Finding[] = [];
  if (isSecret(plain)) findings.push(ask(`${path} may hold secrets`));
  const place = placeOf(path, ground.roots);
  if (place === "guarded") findings.push(ask(`${path} is guarded`));
  if (place === "elsewhere") findings.push(ask(`${path} is outside of the project`));
  if (selfRunning.test(plain)) findings.push(open(`${path} steers other programs`));
  return findings;
}

/** A text that names a secret without being proved to touch it. */
export function judgeMentions(text: string): readonly Finding[] {
  const words = text.toLowerCase().split(/[\s'"`=:,;|&<>()@{}[\]]+/);
  const named = words.find((word) => isPrivate(`/${word}`) || isSecret(`/${word}`));
  return named === undefined ? [] : [ask(`it names ${named}, which may hold secrets`)];
}

/** Everything below it would be lost or changed at once. */
export function isWholeTree(path: string, { roots, home }: Ground): boolean {
  return [home, ...roots].some((folder) => isInside(folder, path));
}

function isPrivate(path: string): boolean {
  return privateFolders.test(path) || (privateFiles.test(path) && !path.endsWith(".pub"));
}

function isSecret(path: string): boolean {
  return secretFiles.test(path) && !samples.test(path);
}

const harmless = new Set(["/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/tty"]);
const privateFolders =
  /\/(\.ssh|\.gnupg|\.aws|\.azure|\.kube|\.config\/(gcloud|gh|op)|\.docker\/config\.json|\.password-store|library\/keychains|\.mozilla|\.config\/google-chrome)(\/|$)/;
const privateFiles =
  /\/(id_(rsa|dsa|ecdsa|ed25519)[^/]*|[^/.][^/]*\.(pem|key|p12|pfx|jks|keystore|kdbx|ppk)|\.netrc|_netrc|\.pgpass|\.git-credentials|\.pypirc|\.htpasswd)$|^\/etc\/(shadow|gshadow|sudoers)/;
const secretFiles =
  /\/(\.env(\.[^/]*)?|[^/]*\.env|[^/]*(credential|secret)s?[^/]*\.(json|ya?ml|toml|ini|txt|properties)|service-account[^/]*\.json|\.npmrc|\.vault[^/]*)$/;
const samples = /[.-](example|sample|template|dist|defaults?)(\.[^/]*)?$/;
const selfRunning =
  /\/(\.github\/(workflows|actions)|\.gitlab-ci\.yml|\.circleci|jenkinsfile|(agents|claude)\.md)(\/|$)/;
