const regionNames = new Intl.DisplayNames(['en'], { type: 'region' })

/** The English name of a country, or its code if it has none. */
export const countryName = (code: string): string => regionNames.of(code) ?? code
