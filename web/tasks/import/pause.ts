/** Lets the page draw and listen in the middle of long work. */
export const pause = () => new Promise<void>((done) => setTimeout(done))
