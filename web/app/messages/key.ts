/** The key of the page's own text in traditional Chinese. */
export const MESSAGES = 'messages';
