/** The languages of texts that people read. */
export type Language = 'en' | 'zh-Hans';

/** A text in each of them. */
export type Text = Readonly<Record<Language, string>>;

/** The languages as `requireChoice` takes them. */
export const LANGUAGES = { en: 'en', 'zh-Hans': 'zh-Hans' } as const satisfies Record<Language, Language>;
