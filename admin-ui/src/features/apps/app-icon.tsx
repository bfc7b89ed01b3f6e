/** The app's icon if the definition contains it; icons at other addresses are not fetched. */

import type { Definition } from "./definition";

const OWN = /^data:image\/(png|svg\+xml|jpeg|gif|webp);base64,/;

export function AppIcon({ definition }: { definition: Definition }) {
  const icon = typeof definition.icon === "string" && OWN.test(definition.icon) ? definition.icon : null;
  if (icon) return <img src={icon} alt="" width={20} height={20} />;
  return <span className="app-icon-none" aria-hidden="true" />;
}
