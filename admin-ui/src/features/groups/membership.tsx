/** The membership of a user in a group: direct, or inherited through other groups. */

import { pathOf, TextLink } from "../../ui/link";

interface MembershipProps {
  group: string;
  /** The groups from the user's own group to this one, for each path. */
  ways: readonly (readonly string[])[];
}

export function Membership({ group, ways }: MembershipProps) {
  const inherited = ways.filter((way) => way.length > 1);
  const isDirect = inherited.length < ways.length;
  return (
    <span className="breaks">
      {isDirect && "Direct"}
      {inherited.map((way, index) => (
        <span key={way.join("\u0000")}>
          {index > 0 ? "; " : isDirect ? "; also through " : "Through "}
          {way
            .filter((name) => name !== group)
            .map((name, step) => (
              <span key={name}>
                {step > 0 && " → "}
                <TextLink to={pathOf("groups", name)} size="sm">
                  {name}
                </TextLink>
              </span>
            ))}
        </span>
      ))}
    </span>
  );
}
