import { phone } from './phone.ts'

export const signIn: typeof phone.signIn = async (given) => {
  await phone.signIn(given)
  // Without it the browser may delete what is stored when the phone runs out of room.
  void navigator.storage?.persist?.()
}
