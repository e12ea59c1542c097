/* What is to be printed, without how: a paper is made of sheets, and each begins on a new page. */

export interface Paper {
  title: string
  language: string
  /** At the head of every sheet. */
  sender: { name: string; logo: Uint8Array | null }
  /** At the foot of every page; `{page}` and `{pages}` are replaced. */
  foot: string
  sheets: Sheet[]
}

export type Sheet = RecordSheet | ListSheet

/** Everything about one thing. */
export interface RecordSheet {
  title: string
  subtitle: string
  mark: { text: string; isGood: boolean }
  facts: Fact[]
  pictures: PrintedPicture[]
  /** What a reader has to know besides. */
  remarks: string[]
}

export type Fact = [label: string, value: string]

export interface PrintedPicture {
  caption: string
  /** A JPEG, or words that say why there is none. */
  picture: Uint8Array | string
  isSignature: boolean
}

/** One line for each of many things. */
export interface ListSheet {
  title: string
  subtitle: string
  /** The names of the columns, and how wide they are, as shares of the whole. */
  columns: [name: string, share: number][]
  rows: string[][]
}
