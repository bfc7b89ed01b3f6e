/** The page for a new group. */

import { TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useClient } from "../../api/context";
import { fieldErrors } from "../../ui/document/field-errors";
import { useNewDocument } from "../../ui/document/use-new-document";
import { pathOf } from "../../ui/link";
import { PageBody, PageHead } from "../../ui/page";
import { Reach } from "../documents/reach";
import { GROUP_FIELDS, type GroupDraft, GroupForm } from "./group-form";

interface NewGroupDraft extends GroupDraft {
  readonly name: string;
}

const EMPTY: NewGroupDraft = { name: "", priority: 0, expandsTo: [] };

export function NewGroupPage() {
  const client = useClient();
  const navigate = useNavigate();
  const document = useNewDocument({
    queryKey: ["groups"],
    initial: EMPTY,
    create: async (draft, reason) =>
      (await client.call("createGroup", { body: { ...draft, expandsTo: [...draft.expandsTo] }, reason })).data,
    onCreated: (group) => void navigate({ to: pathOf("groups", group.name), ignoreBlocker: true }),
  });
  const draft = document.draft ?? EMPTY;
  const errors = fieldErrors(document.saveError ?? document.refusal, GROUP_FIELDS, draft);
  return (
    <PageBody>
      <PageHead title="New group" back={{ to: "/groups", label: "Groups" }} />
      <GroupForm
        document={document}
        mayWrite
        problem={draft.name ? null : "The group needs a name."}
        beside={
          <Reach
            kind="groups"
            document={document}
            proposal={(given) => ({ action: "create", document: { ...given } })}
          />
        }
      >
        <TextInput
          label="Name"
          value={draft.name}
          onChange={(event) => document.change({ ...draft, name: event.currentTarget.value })}
          error={errors.at("name")}
          required
        />
      </GroupForm>
    </PageBody>
  );
}
