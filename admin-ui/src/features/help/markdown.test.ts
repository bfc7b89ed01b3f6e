import { describe, expect, it } from "vitest";
import { HELP_TOPICS } from "../../ui/help-topics";
import { GUIDES } from "./guides";
import { blocksOf, inlinesOf } from "./markdown";

describe("the Markdown of the guides", () => {
  it("is read block by block", () => {
    const text =
      "# T\n\nOne\ntwo.\n\n- a\n  more\n- b\n\n```json\n{}\n```\n\n| A | B |\n|---|---|\n| 1 | `x \\| y` |\n";
    const blocks = blocksOf(text);
    expect(blocks.map((block) => block.kind)).toEqual(["heading", "paragraph", "list", "code", "table"]);
    expect(blocks[1]).toMatchObject({ text: [{ text: "One two." }] });
    expect(blocks[2]).toMatchObject({ items: [[{ text: "a more" }], [{ text: "b" }]] });
    expect(blocks[4]).toMatchObject({ rows: [[[{ text: "1" }], [{ kind: "code", text: "x | y" }]]] });
  });

  it("is read word by word", () => {
    expect(inlinesOf("Use `a*b*`, **now**, *Save* or [the guide](manager.md#lists).")).toEqual([
      { kind: "text", text: "Use " },
      { kind: "code", text: "a*b*" },
      { kind: "text", text: ", " },
      { kind: "strong", text: "now" },
      { kind: "text", text: ", " },
      { kind: "em", text: "Save" },
      { kind: "text", text: " or " },
      { kind: "link", text: "the guide", to: "manager.md#lists" },
      { kind: "text", text: "." },
    ]);
  });

  it("has the section of each page", async () => {
    for (const topic of HELP_TOPICS) {
      const [guide = "", section] = topic.split("#");
      const blocks = blocksOf((await GUIDES.get(guide)?.()) ?? "");
      const ids = blocks.flatMap((block) => (block.kind === "heading" ? [block.id] : []));
      expect(blocks.length, topic).toBeGreaterThan(0);
      if (section) expect(ids, topic).toContain(section);
    }
  });
});
