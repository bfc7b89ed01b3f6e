/** One crash report. */

import { Button } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { useMemo } from "react";
import { useClient, useMay } from "../../api/context";
import type { CrashView } from "../../api/generated/client";
import { DeleteButton } from "../../ui/document/delete-button";
import { DocumentPage } from "../../ui/document/document-page";
import { type DocumentSource, useDocument } from "../../ui/document/use-document";
import { useRemoval } from "../../ui/document/use-removal";
import { Facts } from "../../ui/facts";
import { Icon } from "../../ui/icons";
import { JsonText } from "../../ui/json-text";
import { pathOf, TextLink } from "../../ui/link";
import { showError } from "../../ui/notices";
import { exactTime } from "../../ui/time";
import { type ReviewDraft, ReviewForm } from "../reports/review-form";
import { ReviewedLabel, sizeText } from "../reports/reviewed-label";
import { DumpFacts } from "./dump-facts";

export function CrashPage() {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  return <OneCrash key={id} id={id} />;
}

function OneCrash({ id }: { id: string }) {
  const client = useClient();
  const mayWrite = useMay("CRASHES", "WRITE");
  const removal = useRemoval(["crashes"], "/crashes");
  const document = useDocument(useCrashSource(id));
  const crash = document.view;
  const dump = crash?.minidump;
  return (
    <DocumentPage
      document={document}
      title={crash ? `Crash of ${crash.product} ${crash.version}` : "Crash"}
      back={{ to: "/crashes", label: "Crashes" }}
      about={crash && `Received ${exactTime(crash.received)}`}
      actions={
        crash && (
          <>
            {dump && (
              <Button
                variant="default"
                leftSection={<Icon name="download" size={16} />}
                onClick={() =>
                  void client.download("readMinidump", { path: { crash_id: id } }, dump.name).catch(showError)
                }
              >
                Dump ({sizeText(dump.size)})
              </Button>
            )}
            {mayWrite && (
              <DeleteButton
                what="this report"
                consequence="The minidump is deleted too. This cannot be undone."
                onDelete={(reason) => client.call("deleteCrash", { path: { crash_id: id }, reason })}
                onDeleted={removal.onDeleted}
              />
            )}
          </>
        )
      }
    >
      {crash && (
        <>
          <Facts
            facts={[
              ["Review", <ReviewedLabel key="review" report={crash} />],
              [
                "Group",
                <TextLink key="group" to={pathOf("crash-groups", crash.group)} size="sm">
                  {crash.signature}
                </TextLink>,
              ],
              ["User", crash.user ?? "unknown"],
              ["Product and version", `${crash.product} ${crash.version}`],
              ["App", crash.app],
              ["Machine", crash.machine],
              ["Platform", crash.platform],
              ["Process", crash.processType],
              ["Id", crash.id],
            ]}
          />
          {crash.dump && <DumpFacts dump={crash.dump} />}
          <ReviewForm document={document} mayWrite={mayWrite} />
          <JsonText title="All submitted fields" value={crash.fields} />
        </>
      )}
    </DocumentPage>
  );
}

function useCrashSource(id: string): DocumentSource<CrashView, ReviewDraft> {
  const client = useClient();
  return useMemo(
    () => ({
      queryKey: ["crashes", id],
      read: (signal) => client.call("readCrash", { path: { crash_id: id }, ...(signal ? { signal } : {}) }),
      write: (draft, etag, reason) =>
        client.call("reviewCrash", { path: { crash_id: id }, body: { ...draft }, ifMatch: etag, reason }),
      draftOf: ({ reviewed, comment }) => ({ reviewed, comment }),
    }),
    [client, id],
  );
}
