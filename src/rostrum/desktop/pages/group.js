// The page that draws web groups when a firm has none of its own. All elements are those of the platform; the style
// sheet of this page says how they look.
window.webGroupsManager.init({});
