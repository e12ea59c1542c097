import examples from 'libphonenumber-js/examples.mobile'
// The rules for mobile numbers include those of which numbers are possible at all; loading both sets takes twice as long.
import {
  type CountryCode,
  getCountryCallingCode,
  getExampleNumber,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/mobile'

export const isCountry = (code: string): code is CountryCode => isSupportedCountry(code)

/** The number in E.164 if it is possible, read by the rules of `country`; undefined if it is not. */
export function readPhone(text: string, country: string): string | undefined {
  const parsed = parsePhoneNumberFromString(text, isCountry(country) ? country : undefined)
  return parsed?.isPossible() ? parsed.number : undefined
}

/** The digits before the numbers of a country; none if it is unknown. */
export const callingCodeOf = (country: string): string => (isCountry(country) ? getCountryCallingCode(country) : '')

/** A typical number of that country, for error messages. */
export function examplePhone(country: string): string {
  const example = isCountry(country) ? getExampleNumber(country, examples) : undefined
  return example?.formatNational() ?? '+40 712 034 567'
}

/** Whether a number in E.164 can get SMS: it is a mobile number, or of a country where one cannot tell. */
export const canGetSms = (phone: string): boolean => parsePhoneNumberFromString(phone)?.isValid() === true
