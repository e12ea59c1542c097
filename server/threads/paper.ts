/* What is to be printed, without how: a paper is made of sheets, and each begins on a new page. */

export interface Paper {
  title: string
  language: string
  /** At the head of every sheet. */
  sender: { name: string; logo: Uint8Array | null }
  isLandscape?: true
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
  /** About the list as a whole. */
  facts?: Fact[]
  /** The names of the columns, and how wide they are, as shares of the whole. */
  columns: [name: string, share: number][]
  rows: string[][]
  /** After the last row, together on one page: sums, a remark, and lines to sign on. */
  closing?: { facts: Fact[]; remark: string; signatures: string[] }
}

/** Labels for parcels: a page for each, or four on a page to cut. */
export interface LabelPaper {
  title: string
  language: string
  sender: Paper['sender']
  perPage: 1 | 4
  labels: Label[]
}

/** What one label says. */
export interface Label {
  /** Who sends it: a name, and where from. */
  from: string[]
  /** What to look out for: a pickup, a partner who delivers. */
  marks: string[]
  to: { title: string; name: string; address: string; door: string; town: string; phone: string }
  /** What is to be collected, how many, when. */
  facts: Fact[]
  notes: string
  /** In the bars, in the QR code, and in letters. */
  code: string
  /** What stands where the bars would be if they do not fit. */
  withoutBars: string
}
