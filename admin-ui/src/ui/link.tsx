/** Links inside the application; plain elements, because lists render thousands of them while scrolling. */

import { useRouter } from "@tanstack/react-router";
import type { AnchorHTMLAttributes, MouseEvent, Ref } from "react";
import { stringifySearch } from "./list/list-search";

export interface RouterLinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href"> {
  /** A path of the application with encoded names, see `pathOf`. */
  to: string;
  search?: Record<string, string>;
  ref?: Ref<HTMLAnchorElement>;
}

/** A link for components that take one. */
export function RouterLink({ to, search = {}, onClick, children, ...rest }: RouterLinkProps) {
  const router = useRouter();
  const base = router.options.basepath?.replace(/\/$/, "") ?? "";
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (event.defaultPrevented || !isPlain || rest.target) return;
    event.preventDefault();
    void router.navigate({ to, search });
  };
  return (
    <a {...rest} href={`${base}${to}${stringifySearch(search)}`} onClick={follow}>
      {children}
    </a>
  );
}

/** A link in text. */
export function TextLink({ size, className, ...rest }: RouterLinkProps & { size?: "sm" }) {
  const names = ["text-link", size === "sm" ? "small" : "", className ?? ""].filter(Boolean).join(" ");
  return <RouterLink {...rest} className={names} />;
}

/** Create a path whose parts may contain any characters. */
export function pathOf(...parts: string[]): string {
  return `/${parts.map(encodeURIComponent).join("/")}`;
}
