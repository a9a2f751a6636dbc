/** What sort of file a path is: source first, and the sorts that a task seldom means. */

export type Kind =
  | "source"
  | "test"
  | "example"
  | "document"
  | "settings"
  | "style"
  | "locale"
  | "changelog"
  | "lock"
  | "generated"
  | "vendored"
  | "snapshot"
  | "asset"
  | "other";

const sourceEnding =
  /\.(?:[cm]?[jt]sx?|py|pyi|pyx|go|rs|java|kts?|scala|groovy|clj[cs]?|c|h|cc|cpp|cxx|hh|hpp|hxx|m|mm|cs|fs|vb|rb|php|swift|dart|lua|pl|pm|r|jl|exs?|erl|hrl|hs|ml|mli|elm|zig|nim|v|sv|vhd|sol|sql|sh|bash|zsh|fish|ps1|bat|svelte|vue|astro|proto|graphql|gql|thrift|tf|nix|cmake|asm|s|tcl|y|l|jq|vim|el)$/i;

const rules: readonly (readonly [Kind, RegExp])[] = [
  [
    "lock",
    /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|cargo\.lock|poetry\.lock|uv\.lock|pipfile\.lock|gemfile\.lock|composer\.lock|go\.sum|flake\.lock|mix\.lock|podfile\.lock)$|\.lock$/i,
  ],
  ["vendored", /(?:^|\/)(?:node_modules|vendor|vendored|third[_-]?party|bower_components|site-packages|\.yarn)\//i],
  ["snapshot", /(?:^|\/)__snapshots__\/|\.snap$/i],
  [
    "generated",
    /(?:^|\/)(?:dist|generated|__generated__|\.next)\/|^coverage\/|\.min\.(?:js|css)$|\.map$|\.pb\.(?:go|cc|h)$|_pb2(?:_grpc)?\.pyi?$|[._-]generated\.\w+$|\.g\.dart$|\.designer\.cs$/i,
  ],
  [
    "changelog",
    /(?:^|\/)(?:changelog|changes|history|news|releases?|release[-_]notes)(?:\.(?:md|txt|rst|adoc|html?))?$|(?:^|\/)\.changeset\//i,
  ],
  [
    "test",
    /(?:^|\/)(?:tests?|__tests__|specs?|e2e|testing|test[-_]?data|fixtures?|__fixtures__|__mocks__|mocks|testsuite|integration[-_]tests?|\w+[-_]tests?|androidTest|\w+Test)\/|[._-](?:test|spec|tests|e2e|cy)(?:-d)?\.[\w.]+$|(?:^|\/)test_[^/]*\.py$|(?:^|\/)(?:conftest|tests?)\.\w+$|(?:Tests?|Spec|(?<=[a-z])IT|TestCase)\.(?:java|kt|scala|groovy|cs|swift|php)$/,
  ],
  [
    "locale",
    /(?:^|\/)(?:locales?|translations?)\/.*\.(?:json|ya?ml|properties|[jt]s|strings)$|(?:^|\/)(?:i18n|lang|messages)\/.*\.(?:json|ya?ml|properties|strings)$|\.(?:po|pot|mo|xlf)$/i,
  ],
  [
    "document",
    /\.(?:md|mdx|markdown|rst|adoc|txt|tex|org|1|pod|html?)$|(?:^|\/)(?:license|readme|authors|contributing|notice|copying)(?:\.\w+)?$/i,
  ],
  [
    "example",
    /(?:^|\/)(?:examples?|samples?|demos?|playgrounds?|tutorials?|docs?|documentation|docs_src|sandbox|bench(?:es|marks?)?|_examples)\/|\.stories\.\w+$/i,
  ],
  ["style", /\.(?:css|scss|sass|less|styl)$/i],
  [
    "settings",
    /\.(?:json[c5]?|ya?ml|toml|ini|cfg|conf|xml|gradle|properties|env|plist|editorconfig|mod|bazel|bzl|csproj|sln|in|ac|am|mk)$|(?:^|\/)\.[^/]+(?:\/|$)|(?:^|\/)(?:dockerfile|makefile|jenkinsfile|rakefile|gemfile|procfile|justfile|codeowners)[^/]*$|\.config\.[cm]?[jt]s$|(?:^|\/)setup\.py$/i,
  ],
  [
    "asset",
    /\.(?:png|jpe?g|gif|webp|avif|svg|ico|bmp|tiff?|pdf|woff2?|ttf|otf|eot|mp[34]|wav|ogg|webm|mov|zip|t?gz|bz2|xz|7z|jar|war|class|so|dylib|dll|exe|bin|wasm|o|a|pyc|db|sqlite|parquet|npy|pkl|csv|tsv|psd|ai|blend)$/i,
  ],
  ["source", sourceEnding],
];

export function kindOf(path: string): Kind {
  return rules.find(([, pattern]) => pattern.test(path))?.[0] ?? "other";
}

const unread: ReadonlySet<Kind> = new Set(["asset", "generated", "lock", "snapshot", "vendored"]);

/** Whether reading the file's content can help a search. */
export function isWorthReading(path: string): boolean {
  return !unread.has(kindOf(path));
}
