/** The list of pages at the side. */

import { NavLink, ScrollArea, Text } from "@mantine/core";
import { useLocation } from "@tanstack/react-router";
import { useChangeRules } from "../api/change-rules";
import { useMe } from "../api/context";
import { Icon } from "../ui/icons";
import { RouterLink } from "../ui/link";
import { sectionsFor } from "./navigation";

export function Navigation({ onNavigate }: { onNavigate: () => void }) {
  const sections = sectionsFor(useMe(), useChangeRules().approvalKinds.length > 0);
  const path = useLocation({ select: (location) => location.pathname });
  return (
    <ScrollArea component="nav" aria-label="Pages" p="xs" type="auto">
      {sections.map((section) => (
        <div key={section.label}>
          {section.label && (
            <Text size="xs" fw={600} c="dimmed" mt="sm" mb={4} px="xs">
              {section.label}
            </Text>
          )}
          {section.pages.map((page) => {
            const isHere = [page.path, ...(page.also ? [page.also] : [])].some((start) =>
              start === "/" ? path === "/" : path === start || path.startsWith(`${start}/`),
            );
            return (
              <NavLink
                key={page.path}
                component={RouterLink}
                to={page.path}
                label={page.label}
                leftSection={<Icon name={page.icon} />}
                active={isHere}
                aria-current={isHere ? "page" : undefined}
                onClick={onNavigate}
                className="nav-link"
              />
            );
          })}
        </div>
      ))}
    </ScrollArea>
  );
}
