import { operations } from '../contract/operations.ts'
import { type Client, clientFor } from './calls.ts'

export { type Client, WaybillError } from './calls.ts'

export interface ClientOptions {
  /** Where the server is: `http://127.0.0.1:4000`. */
  url: string
  key: string
}

/** A client that calls the API with a key. */
export const createClient = ({ url, key }: ClientOptions): Client =>
  clientFor(operations, (path, { headers, ...init }) =>
    fetch(new URL(path, url), { ...init, headers: { authorization: utf8(key), ...headers } }),
  )

/** A header takes one byte per letter. A custom key may have letters of two bytes. */
const utf8 = (text: string) => String.fromCharCode(...new TextEncoder().encode(text))
