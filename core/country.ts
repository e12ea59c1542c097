/** Made when first needed, because it takes as long to load as a hundred files. */
let regionNames: Intl.DisplayNames | undefined

/** The English name of a country, or its code if it has none. */
export function countryName(code: string): string {
  regionNames ??= new Intl.DisplayNames(['en'], { type: 'region' })
  return regionNames.of(code) ?? code
}
