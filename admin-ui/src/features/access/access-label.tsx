/** A short label for access, for lists. */

import { Label, Names } from "../../ui/labels";
import type { Access } from "./access-sentence";

export function AccessLabel({ access }: { access: Access }) {
  if (access.disabled) return <Label color="red">disabled</Label>;
  if (access.public) return <Label color="green">public</Label>;
  return <Names names={access.accessList} none="assigned users only" most={2} />;
}
