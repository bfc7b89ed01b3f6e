// The page of the test: the library of the vendor with its own elements.
import React from "react";
import { createRoot } from "react-dom/client";
import Group, { FlatCaptionBar, GroupCaptionBar, HtmlButtons, Tab, TabHeaderButtons } from "@interopio/groups-ui-react";
import "@interopio/groups-ui-react/dist/styles/groups.css";

const components = {
  group: { CaptionBar: GroupCaptionBar },
  flat: { CaptionBar: FlatCaptionBar },
  tabs: { Element: Tab, Buttons: TabHeaderButtons },
  html: { Buttons: HtmlButtons },
};

createRoot(document.getElementById("root")).render(<Group components={components} />);
