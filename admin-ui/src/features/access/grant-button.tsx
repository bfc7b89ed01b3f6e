/** Offers the ways to make an app available to a user who does not have it. */

import { useDisclosure } from "@mantine/hooks";
import { useMe } from "../../api/context";
import type { WhyNot } from "../../api/generated/client";
import { BlockedButton } from "../../ui/blocked-button";
import { GrantDialog } from "./grant-dialog";
import { waysFor } from "./ways";

interface GrantButtonProps {
  app: string;
  user: string;
  whyNot: WhyNot;
  /** The effective groups of the user. */
  groups: readonly string[];
}

export function GrantButton({ app, user, whyNot, groups }: GrantButtonProps) {
  const me = useMe();
  const [isOpen, dialog] = useDisclosure(false);
  const ways = waysFor({ me, whyNot, groups });
  const [first] = ways;
  if (!first) return null;
  const blocked = ways.every((way) => way.blocked !== null) ? reasonsOf(ways.map((way) => way.blocked ?? "")) : null;
  return (
    <>
      <BlockedButton
        size="compact-sm"
        variant="default"
        blocked={blocked}
        onClick={dialog.open}
        aria-label={`Grant ${app} to ${user}`}
      >
        Grant…
      </BlockedButton>
      {isOpen && <GrantDialog app={app} user={user} ways={ways} onClose={dialog.close} />}
    </>
  );
}

const reasonsOf = (reasons: readonly string[]): string => [...new Set(reasons)].join(" ");
