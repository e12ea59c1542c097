/** Why a file cannot be imported: a sentence for the operator that says what is wrong and what to do. */
export class UnreadableExtract extends Error {}

/** It is an extract, but something in it is broken. */
export const damaged = (where: string, cause?: unknown) =>
  new UnreadableExtract(
    `The file is damaged (${where}): compare its size or checksum with that of the download page, and download it again`,
    { cause },
  )
