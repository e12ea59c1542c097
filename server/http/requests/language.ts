/** The languages of pages that the server writes. */
export const languages = ['en', 'ro'] as const
export type Language = (typeof languages)[number]

/** The one a browser prefers; English if it wants neither. */
export function chooseLanguage(accepted: string | undefined): Language {
  const wanted = (accepted ?? '').split(',').map((one) => {
    const [name = '', ...rest] = one
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/)
    const quality = Number(rest.find((part) => part.startsWith('q='))?.slice(2) ?? 1)
    return { language: name.split('-')[0], quality: quality > 0 ? quality : 0 }
  })
  const known = wanted.filter(({ language, quality }) => quality > 0 && languages.some((one) => one === language))
  const [best] = known.sort((one, other) => other.quality - one.quality)
  return (best?.language as Language | undefined) ?? 'en'
}
