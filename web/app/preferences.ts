/** Language and theme: what the reader chose, else what the browser asks for. One choice for the whole page. */
export const languages = ['en', 'zh-Hans', 'zh-Hant'] as const;
export type Language = (typeof languages)[number];
export type Theme = 'light' | 'dark';
export type ThemeChoice = 'system' | Theme;

const root = document.documentElement;
const systemIsDark = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

/** The language on screen. */
export function language(): Language {
  return languages.find((one) => one === root.lang) ?? 'en';
}

export function setLanguage(language: Language): void {
  store('language', language);
  root.lang = language;
  announce();
}

/** Shows a language without taking it for the reader's choice. */
export function standIn(language: Language): void {
  root.lang = language;
}

/** The theme as chosen; `system` follows the browser. */
function themeChoice(): ThemeChoice {
  const stored = recall('theme');
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

/** The order of the theme button: system, light, dark, and round again. */
export function nextThemeChoice(): ThemeChoice {
  return ({ system: 'light', light: 'dark', dark: 'system' } as const)[themeChoice()];
}

export function setThemeChoice(choice: ThemeChoice): void {
  store('theme', choice);
  applyTheme();
  announce();
}

/** Sets `lang` and `data-theme` on the root element from the stored choices. */
export function applyPreferences(): void {
  const stored = recall('language');
  root.lang = languageFor(stored ?? navigator.language);
  applyTheme();
}

/** The page's language for a reader of another: Chinese of Taiwan, Hong Kong and Macao is written in traditional characters. */
function languageFor(tag: string): Language {
  if (/^zh\b.*-(Hant|TW|HK|MO)\b/i.test(tag)) return 'zh-Hant';
  return /^zh\b/i.test(tag) ? 'zh-Hans' : 'en';
}

/** Calls back after language or theme have changed, the system's own change of theme included. Returns the way to stop. */
export function onPreferencesChange(listener: () => void): () => void {
  if (listeners.size === 0) systemIsDark.addEventListener('change', followSystem);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) systemIsDark.removeEventListener('change', followSystem);
  };
}

function followSystem(): void {
  applyTheme();
  announce();
}

function applyTheme(): void {
  const choice = themeChoice();
  root.dataset['theme'] = choice === 'system' ? (systemIsDark.matches ? 'dark' : 'light') : choice;
}

function announce(): void {
  for (const listener of listeners) listener();
}

// A page opened where storage is refused keeps its choices until it is closed.
const fallback = new Map<string, string>();

function recall(name: string): string | null {
  try {
    return localStorage.getItem(`posenc.${name}`);
  } catch {
    return fallback.get(name) ?? null;
  }
}

function store(name: string, value: string): void {
  try {
    localStorage.setItem(`posenc.${name}`, value);
  } catch {
    fallback.set(name, value);
  }
}
