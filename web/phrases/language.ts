/** The languages of texts that people read: English, and Chinese in simplified and in traditional characters. */
export type Language = 'en' | 'zh-Hans' | 'zh-Hant';

/** A text in each of them. */
export type Text = Readonly<Record<Language, string>>;

/** The languages as `requireChoice` takes them. */
export const LANGUAGES = { en: 'en', 'zh-Hans': 'zh-Hans', 'zh-Hant': 'zh-Hant' } as const satisfies Record<
  Language,
  Language
>;

/** One thing in every language. */
export type Books<Book> = Readonly<Record<Language, Book>>;
