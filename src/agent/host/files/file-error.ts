/** Why a file could not be read or written: a code for programs, a sentence for people and models. */

export type FileErrorCode = keyof typeof sentences;

export class FileError extends Error {
  override readonly name = "FileError";
  readonly code: FileErrorCode;
  readonly path: string;

  constructor(code: FileErrorCode, path: string, options?: { readonly cause?: unknown }) {
    const cause = errnoOf(options?.cause);
    super(`${path}: ${sentences[code]}${code === "failed" && cause !== undefined ? ` (${cause})` : ""}`, options);
    this.code = code;
    this.path = path;
  }
}

/** What the system said becomes one of ours. */
export function asFileError(error: unknown, path: string): FileError {
  if (error instanceof FileError) return error;
  return new FileError(codes[errnoOf(error) ?? ""] ?? "failed", path, { cause: error });
}

export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return undefined;
  return error.code;
}

export function isMissing(error: unknown): boolean {
  const code = errnoOf(error);
  return code === "ENOENT" || code === "ENOTDIR";
}

const sentences = {
  "bad-path": "this is not a path",
  missing: "there is no such file",
  "not-a-file": "this is not a regular file",
  "not-a-folder": "a file stands where a folder was expected",
  symlink: "a symbolic link stands where a file was expected",
  "hard-link": "the file has a second name elsewhere (a hard link)",
  swapped: "the path led elsewhere than when it was judged",
  changed: "the file changed in the meantime",
  exists: "the file exists already",
  forbidden: "permission denied",
  failed: "the system refused",
} as const;

const codes: Readonly<Record<string, FileErrorCode>> = {
  ENOENT: "missing",
  ENOTDIR: "missing",
  EISDIR: "not-a-file",
  ENXIO: "not-a-file",
  ELOOP: "symlink",
  EMLINK: "symlink",
  EEXIST: "exists",
  EACCES: "forbidden",
  EPERM: "forbidden",
  EROFS: "forbidden",
  ENAMETOOLONG: "bad-path",
  EINVAL: "bad-path",
  ERR_INVALID_ARG_VALUE: "bad-path",
};
