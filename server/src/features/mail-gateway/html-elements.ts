/** What we use of the elements that `turndown` passes to its rules. */
export interface HtmlElement {
  readonly nodeName: string;
  readonly parentElement: HtmlElement | null;
  readonly children: ArrayLike<HtmlElement>;
  readonly textContent: string | null;
  readonly innerHTML: string;
  getAttribute(name: string): string | null;
  querySelectorAll(selector: string): ArrayLike<HtmlElement>;
}
