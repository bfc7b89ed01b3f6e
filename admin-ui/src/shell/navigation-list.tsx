/** The list of pages at the side; plain elements, because the list is rendered with every page. */

import { useLocation } from "@tanstack/react-router";
import { memo, useMemo } from "react";
import { useChangeRules } from "../api/change-rules";
import { useMe } from "../api/context";
import { Icon } from "../ui/icons";
import { RouterLink } from "../ui/link";
import { type Page, sectionsFor } from "./navigation";

export const Navigation = memo(({ onNavigate }: { onNavigate: () => void }) => {
  const me = useMe();
  const withProposals = useChangeRules().approvalKinds.length > 0;
  const sections = useMemo(() => sectionsFor(me, withProposals), [me, withProposals]);
  const path = useLocation({ select: (location) => location.pathname });
  return (
    <nav aria-label="Pages" className="pages">
      {sections.map((section) => (
        <div key={section.label}>
          {section.label && <p className="nav-section">{section.label}</p>}
          {section.pages.map((page) => (
            <PageLink key={page.path} page={page} isHere={isAt(page, path)} onNavigate={onNavigate} />
          ))}
        </div>
      ))}
    </nav>
  );
});

interface PageLinkProps {
  page: Page;
  isHere: boolean;
  onNavigate: () => void;
}

const PageLink = memo(({ page, isHere, onNavigate }: PageLinkProps) => (
  <RouterLink to={page.path} className="nav-link" aria-current={isHere ? "page" : undefined} onClick={onNavigate}>
    <Icon name={page.icon} />
    <span>{page.label}</span>
  </RouterLink>
));

function isAt(page: Page, path: string): boolean {
  return [page.path, ...(page.also ? [page.also] : [])].some((start) =>
    start === "/" ? path === "/" : path === start || path.startsWith(`${start}/`),
  );
}
