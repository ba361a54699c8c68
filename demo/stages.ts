/** A stage of the widget by itself, in a frame of the playground: `stages.html?state=form-quoted&theme=dark`. */
import '../test/support/gallery.js';
