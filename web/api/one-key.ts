import { useState } from 'react'

/** `crypto.randomUUID` exists only over https. */
export const randomKey = () =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-')

/**
 * For what adds up if it is sent twice. An answer can be lost after the work was done, and who then presses the button again
 * means the same thing: the same body has the same key, until it is known to be done.
 */
export function makeOneKey() {
  let tried = { body: '', key: '' }
  return {
    keyOf(body: unknown): string {
      const text = JSON.stringify(body)
      if (tried.body !== text) tried = { body: text, key: randomKey() }
      return tried.key
    },
    done() {
      tried = { body: '', key: '' }
    },
  }
}

/** One for as long as a form is open. */
export const useOneKey = () => useState(makeOneKey)[0]
