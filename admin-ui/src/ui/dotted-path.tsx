/** The path of a value in a document; a long path wraps after a dot, an underscore or a space. */

import { Fragment } from "react";

export function DottedPath({ path }: { path: string }) {
  const parts = path.split(/(?<=[._ ])/);
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the same part may come twice, and parts never move
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
