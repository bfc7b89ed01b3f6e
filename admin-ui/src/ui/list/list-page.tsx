/** A page with a list: title, actions and the list, which fills the rest. */

import type { ReactNode } from "react";
import { PageBody, PageHead } from "../page";
import { type ListProps, SearchedList } from "./list-panel";

interface ListPageProps<Row> extends Omit<ListProps<Row>, "label"> {
  title: string;
  /** One sentence that describes the list. */
  about: string;
  actions?: ReactNode;
  back?: { to: string; label: string };
}

export function ListPage<Row>({ title, about, actions, back, ...list }: ListPageProps<Row>) {
  return (
    <PageBody fills>
      <PageHead title={title} about={about} actions={actions} {...(back ? { back } : {})} />
      <SearchedList label={title} views={list.queryKey.join("-")} {...list} />
    </PageBody>
  );
}
