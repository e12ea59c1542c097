/** Whether this browser draws maps. Some offices and remote desktops have WebGL switched off. */
export const canDraw = () => document.createElement('canvas').getContext('webgl2') !== null
