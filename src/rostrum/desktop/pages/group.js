// The built-in page that draws web groups. All elements are those of the platform; the style sheet of this page
// determines their look.
window.webGroupsManager.init({});
