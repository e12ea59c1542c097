import { chooseLanguage, type Language } from '../../../core/words/languages.ts'

/** The language a browser asks for (`Accept-Language`). */
export function acceptedLanguage(header: string | undefined): Language {
  const wanted = (header ?? '').split(',').map((one) => {
    const [name = '', ...rest] = one.trim().split(/\s*;\s*/)
    const quality = Number(rest.find((part) => /^q=/i.test(part))?.slice(2) ?? 1)
    return { name, quality: quality > 0 ? quality : 0 }
  })
  const liked = wanted.filter(({ quality }) => quality > 0).sort((one, other) => other.quality - one.quality)
  return chooseLanguage(liked.map(({ name }) => name))
}
