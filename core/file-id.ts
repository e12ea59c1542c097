/** How the id of a stored file looks, inside a pattern. */
export const uuid = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'

const namesFile = new RegExp(`^(/files/)?${uuid}$`)
/** Whether this can name a stored file, by its path or by its id alone. */
export const isFileName = (text: string) => namesFile.test(text)
