/** Elements as text, without a document: what the page draws becomes the HTML of a file in which nothing runs. */
import { options, type ComponentChild, type ComponentChildren, type VNode } from "preact";

export interface HtmlOptions {
  /** Before every id and every link to one: the same lines may stand in a file several times. */
  readonly prefix: string;
  /** Lines of the plan that are marked. */
  readonly isMarked: (from: number, to: number) => boolean;
}

/** Of elements and attributes only those that can do nothing are written; of any other element only what stands in it. */
export function toHtml(children: ComponentChildren, given: HtmlOptions): string {
  Object.assign(options, { [skipEffects]: true });
  return write(children, given);
}

/** Preact's own switch and hooks for drawing on a server. */
const skipEffects = "__s";

interface Hooks {
  readonly __b?: (node: VNode) => void;
  readonly __r?: (node: VNode) => void;
  readonly diffed?: (node: VNode) => void;
}

function write(child: ComponentChildren, given: HtmlOptions): string {
  if (Array.isArray(child)) return child.map((one: ComponentChild) => write(one, given)).join("");
  if (child === null || child === undefined || typeof child === "boolean") return "";
  if (typeof child === "string" || typeof child === "number" || typeof child === "bigint")
    return escapeHtml(`${child}`);
  const node = child as VNode<Properties>;
  if (typeof node.type === "function") return write(called(node), given);
  return typeof node.type === "string" ? writeElement(node.type, node.props, given) : "";
}

type Properties = Readonly<Record<string, unknown>> & { readonly children?: ComponentChildren };

/** A component's own drawing, with hooks as they begin; effects never run. */
function called(node: VNode<Properties>): ComponentChildren {
  const hooks = options as Hooks;
  const component = { props: node.props, context: {}, state: {}, setState: nothing, forceUpdate: nothing, __h: [] };
  hooks.__b?.(node);
  Object.assign(node, { __c: Object.assign(component, { __v: node }) });
  hooks.__r?.(node);
  const draw = node.type as (props: Properties) => ComponentChildren;
  const drawn = draw.call(component, node.props);
  hooks.diffed?.(node);
  return drawn;
}

function nothing(): void {
  return undefined;
}

function writeElement(tag: string, props: Properties, given: HtmlOptions): string {
  if (leftOut.has(tag)) return "";
  const within = write(props.children, given);
  if (!elements.has(tag)) return within;
  const open = `<${tag}${writeAttributes(props, given)}>`;
  return empty.has(tag) ? open : `${open}${within}</${tag}>`;
}

function writeAttributes(props: Properties, { prefix, isMarked }: HtmlOptions): string {
  const { "data-from": from, "data-to": to } = props;
  const isPlace = typeof from === "number" && typeof to === "number";
  const classes = [props["class"], isPlace && isMarked(from, to) ? "commented" : null];
  const shown: Record<string, unknown> = { ...props, class: classes.filter(Boolean).join(" ") || null };
  return Object.entries(shown)
    .filter(([name]) => attributes.has(name) || name.startsWith("aria-"))
    .map(([name, value]) => {
      if (value === true) return ` ${name}=""`;
      if (typeof value !== "string" && typeof value !== "number") return "";
      const text = `${value}`;
      if (name === "id") return ` id="${escapeHtml(prefix + text)}"`;
      if (name !== "href") return ` ${name}="${escapeHtml(text)}"`;
      if (text.startsWith("#")) return ` href="#${escapeHtml(prefix + text.slice(1))}"`;
      return /^https?:\/\//i.test(text) ? ` href="${escapeHtml(text)}" rel="noopener noreferrer"` : "";
    })
    .join("");
}

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"'`]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

const words = "h1 h2 h3 h4 h5 h6 p span strong em s code br a sup sub ins del mark kbd";
const parts = "ul ol li blockquote div section figure figcaption pre hr input details summary";
const elements = new Set(`${words} ${parts} table thead tbody tr th td`.split(" "));
/** They would need a script. */
const leftOut = new Set(["button", "script", "style", "svg", "img", "iframe", "object", "template", "textarea"]);
const empty = new Set(["br", "hr", "input"]);
const attributes = new Set(["class", "id", "dir", "href", "start", "type", "checked", "disabled", "role", "open"]);
