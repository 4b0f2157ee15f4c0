// Title and first sentence are in index.html in every language. Markup in these strings is the page's own; it is set as
// HTML by the first script, before any library is there.
export const number = (value: string): string => `<b>${value}</b>`;
