/** Links that stay inside the application. */

import { Anchor, type AnchorProps } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { AnchorHTMLAttributes, ReactNode, Ref } from "react";

export interface RouterLinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href"> {
  /** A path of the application; names in it are encoded already, see `pathOf`. */
  to: string;
  search?: Record<string, string>;
  ref?: Ref<HTMLAnchorElement>;
}

/** A plain link, for Mantine components that take one. */
export function RouterLink({ to, search, ...rest }: RouterLinkProps) {
  return <Link {...rest} to={to} search={search ?? {}} />;
}

/** A link in text. */
export function TextLink({ to, search, children, ...rest }: AnchorProps & RouterLinkProps & { children?: ReactNode }) {
  return (
    <Anchor component={RouterLink} to={to} {...(search ? { search } : {})} {...rest}>
      {children}
    </Anchor>
  );
}

/** Write a path whose parts may hold any letter. */
export function pathOf(...parts: string[]): string {
  return `/${parts.map(encodeURIComponent).join("/")}`;
}
