<?php
/**
 * Plugin Name:       Swap Widget
 * Plugin URI:        https://swap-widget.github.io/swap-widget/
 * Description:       Lets visitors swap an asset on one chain for an asset on another, with a block or the shortcode [swap_widget].
 * Version:           0.1.0
 * Requires at least: 6.5
 * Requires PHP:      7.4
 * Author:            the swap-widget authors
 * License:           MIT
 * License URI:       https://opensource.org/license/mit
 * Text Domain:       swap-widget
 * Domain Path:       /languages
 *
 * @package swap-widget
 */

defined( 'ABSPATH' ) || exit;

require_once __DIR__ . '/element.php';
require_once __DIR__ . '/events.php';

if ( is_admin() ) {
	require_once __DIR__ . '/settings.php';
}

add_action( 'init', 'swap_widget_register' );

/** Registers the scripts, the shortcode and the block. */
function swap_widget_register() {
	load_plugin_textdomain( 'swap-widget', false, dirname( plugin_basename( __FILE__ ) ) . '/languages' );

	// The widget's folder is named after its version: its URL must have no query, since its other files import it, too.
	$version = require __DIR__ . '/widget/version.php';
	wp_register_script_module( 'swap-widget', plugins_url( "widget/$version/define.js", __FILE__ ), array(), null );
	wp_register_script_module( 'swap-widget-page', plugins_url( 'page.js', __FILE__ ), array(), $version );
	wp_register_style( 'swap-widget', plugins_url( 'style.css', __FILE__ ), array(), $version );

	add_shortcode( 'swap_widget', 'swap_widget_shortcode' );
	register_block_type( __DIR__ . '/block', array( 'render_callback' => 'swap_widget_block' ) );
	wp_set_script_translations( 'swap-widget-form-editor-script', 'swap-widget', __DIR__ . '/languages' );
}
