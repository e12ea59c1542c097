/** Loading the program fills the small heap a process begins with many times; a larger one saves a tenth of the start. */
export const roomyFlags = ['--min-semi-space-size=16']
