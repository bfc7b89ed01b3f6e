/** The effective access of a user with reasons: apps, layouts, configuration. */

import { Text } from "@mantine/core";
import { pathOf } from "../../ui/link";
import { ExplainedConfig } from "../configs/explained-config";
import { Grants } from "./effective-grants";

export function UserApps({ user }: { user: string }) {
  return (
    <Grants
      user={user}
      kind="apps"
      rowsOf={({ apps }) =>
        (apps?.items ?? []).map((app) => ({
          key: app.name,
          name: app.name,
          note: app.title,
          to: pathOf("apps", app.name),
          given: app.given,
          reasons: app.reasons,
          whyNot: app.whyNot,
          rollout: app.rollout,
        }))
      }
    />
  );
}

export function UserLayouts({ user }: { user: string }) {
  return (
    <Grants
      user={user}
      kind="layouts"
      about={({ defaultLayout }) =>
        defaultLayout && (
          <Text size="sm">
            Starts with <strong>{defaultLayout.name}</strong>, which{" "}
            {defaultLayout.because === "chosen" ? "the user selected" : "is the common default layout"}.
          </Text>
        )
      }
      rowsOf={({ layouts }) =>
        (layouts?.items ?? []).map((layout) => ({
          key: layout.id,
          name: layout.name,
          note: `${layout.type}, of ${layout.owner === "*" ? "everyone" : layout.owner}`,
          to: pathOf("layouts", layout.id),
          given: layout.given,
          reasons: layout.reasons,
          whyNot: layout.whyNot,
          rollout: layout.rollout,
        }))
      }
    />
  );
}

export function UserConfig({ user }: { user: string }) {
  return <ExplainedConfig user={user} />;
}
