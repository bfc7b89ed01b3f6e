/** The files that set a setting, and the effective value for the selected user or scope. */

import { Text } from "@mantine/core";
import type { ExplainedValue } from "../../../api/generated/client";
import { ValueText } from "../../../ui/document/value-text";
import { Label } from "../../../ui/labels";
import { pathOf, TextLink } from "../../../ui/link";
import { type Place, placeText, SCOPES } from "../scope";
import type { SettingField } from "./catalogue";

/** A value of a file that does not apply to the selected user or scope. */
export interface OtherValue {
  readonly id: string;
  readonly place: Place;
  readonly value: unknown;
}

interface SettingSourcesProps {
  field: SettingField;
  /** The scope of the edited file. */
  place: Place;
  subject: string;
  isSet: boolean;
  /** Whether the edited file applies to the subject. */
  isApplied: boolean;
  found: readonly ExplainedValue[];
  others: readonly OtherValue[];
}

const MOST_OTHERS = 3;
/** Longer values are shortened. */
const LONGEST = 80;

export function SettingSources({ field, place, subject, isSet, isApplied, found, others }: SettingSourcesProps) {
  const [first] = found;
  const isHere = (layer: Layer) => layer.scope === place.scope && layer.target === place.target;
  const isOverridden = isSet && isApplied && first?.winner && !isHere(first.winner);
  if (!first && others.length === 0) return null;
  return (
    <Text size="sm" component="div" className="setting-sources">
      {first && (
        <div>
          Effective for {subject}:{" "}
          {found.length === 1 && first.path === field.path ? (
            <>
              <ValueText value={first.status === "set" ? first.value : first.inForce} longest={LONGEST} />
              {first.winner && first.status === "set" && (
                <>
                  {" "}
                  from <Origin layer={first.winner} place={place} path={field.path} />
                </>
              )}{" "}
              {first.status !== "set" && (
                <Label color={first.status === "ignored" ? "orange" : "gray"}>{first.status}</Label>
              )}
            </>
          ) : (
            <Parts found={found} place={place} path={field.path} />
          )}
          {isOverridden && <Label color="orange">the value of this file is overridden</Label>}
          {found.length === 1 &&
            first.losers.map((loser) => (
              <div key={loser.id || "draft"} className="quiet">
                overrides <ValueText value={loser.value} longest={LONGEST} /> from{" "}
                <Origin layer={loser} place={place} path={field.path} />
              </div>
            ))}
        </div>
      )}
      {others.length > 0 && (
        <div className="quiet">
          Also set for{" "}
          {others.slice(0, MOST_OTHERS).map((other, index) => (
            <span key={other.id}>
              {index > 0 && ", "}
              <Origin
                layer={{ id: other.id, scope: other.place.scope, target: other.place.target }}
                place={place}
                path={field.path}
              />{" "}
              <ValueText value={other.value} longest={LONGEST} />
            </span>
          ))}
          {others.length > MOST_OTHERS && ` and ${others.length - MOST_OTHERS} more`}
        </div>
      )}
    </Text>
  );
}

/** Values inside a setting can come from several files. */
function Parts({ found, place, path }: { found: readonly ExplainedValue[]; place: Place; path: string }) {
  const layers = [...new Map(found.map(({ winner }) => [winner?.id ?? "", winner])).values()];
  return (
    <>
      {found.length === 1 ? "1 value" : `${found.length} values`} from{" "}
      {layers.map((layer, index) => (
        <span key={layer?.id ?? ""}>
          {index > 0 && ", "}
          {layer ? <Origin layer={layer} place={place} path={path} /> : "the default"}
        </span>
      ))}
    </>
  );
}

interface Layer {
  readonly id: string;
  readonly scope: string;
  readonly target: string;
}

function Origin({ layer, place, path }: { layer: Layer; place: Place; path: string }) {
  if (layer.scope === place.scope && layer.target === place.target) return <strong>this file</strong>;
  const scope = SCOPES.find((each) => each === layer.scope) ?? "base";
  return (
    <TextLink to={pathOf("configs", layer.id)} search={{ view: "form", setting: path }} size="sm">
      {placeText({ scope, target: layer.target })}
    </TextLink>
  );
}
