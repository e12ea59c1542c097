/** One address: a name, an @, and where it is. Line breaks, further ones and whole lists would go into a header. */
const email = /^[^\s@,;<>()"\p{Cc}]+@[^\s@,;<>()"\p{Cc}]+$/u
const longestEmail = 254

export const isEmail = (text: string): boolean => text.length <= longestEmail && email.test(text)
