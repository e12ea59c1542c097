/** What a note is: the number in its `type`. */
export const noteTypes = { text: 1, photo: 2, signature: 3, scan: 4, document: 5, system: 6 } as const
/** Of a note with a picture. */
export type PictureType = (typeof noteTypes)['photo' | 'signature']
