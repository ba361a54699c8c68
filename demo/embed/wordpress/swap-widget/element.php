<?php
/**
 * The element, as the shortcode and the block write it.
 *
 * @package swap-widget
 */

defined( 'ABSPATH' ) || exit;

/**
 * What the author of a post may set: only what a visitor can change in the form, and its looks. The service, the fees and
 * the RPCs are set by an administrator only. `recipient` is missing for a reason: whoever may write a post could fill in
 * their own address.
 */
const SWAP_WIDGET_CHOICES = array( 'from', 'to', 'amount', 'lock', 'theme', 'variant', 'value-currency', 'lang', 'no-header' );

/** The boolean ones of them. */
const SWAP_WIDGET_SWITCHES = array( 'no-header' );

/** The administrator's settings. `more` is JSON: object settings. */
const SWAP_WIDGET_DEFAULTS = array(
	'base-url'       => '',
	'app-id'         => '',
	'affiliate-fees' => '',
	'assets'         => '',
	'rpc'            => '',
	'more'           => '',
);

/** The administrator's settings, all as text. */
function swap_widget_settings(): array {
	$set = get_option( 'swap_widget', array() );
	return array_intersect_key( array_merge( SWAP_WIDGET_DEFAULTS, is_array( $set ) ? $set : array() ), SWAP_WIDGET_DEFAULTS );
}

/**
 * [swap_widget from="bitcoin:btc" to="base:cbbtc" no-header]
 *
 * @param array|string $given The shortcode's attributes; a boolean one without a value has a number as its key.
 */
function swap_widget_shortcode( $given ): string {
	$chosen = array();
	foreach ( (array) $given as $name => $value ) {
		$is_switch = is_int( $name );
		$name      = str_replace( '_', '-', strtolower( $is_switch ? $value : $name ) );

		$chosen[ $name ] = $is_switch ? 'true' : $value;
	}
	return swap_widget_element( $chosen );
}

/**
 * The block.
 *
 * @param array $attributes As `block.json` names them.
 */
function swap_widget_block( array $attributes ): string {
	$chosen = array();
	foreach ( $attributes as $name => $value ) {
		$name            = strtolower( preg_replace( '/(?=[A-Z])/', '-', $name ) );
		$chosen[ $name ] = is_bool( $value ) ? ( $value ? 'true' : 'false' ) : (string) $value;
	}
	$element = swap_widget_element( $chosen );
	return '' === $element ? '' : sprintf( '<div %s>%s</div>', get_block_wrapper_attributes(), $element );
}

/**
 * The element with the administrator's settings and those of its author that authors may set.
 *
 * @param array $chosen Attributes of the element, as text.
 */
function swap_widget_element( array $chosen ): string {
	$settings = swap_widget_settings();
	if ( '' === $settings['base-url'] ) {
		return swap_widget_missing();
	}

	wp_enqueue_script_module( 'swap-widget' );
	wp_enqueue_style( 'swap-widget' );

	$attributes = array_diff_key( $settings, array( 'more' => '' ) );
	foreach ( array_intersect_key( $chosen, array_flip( SWAP_WIDGET_CHOICES ) ) as $name => $value ) {
		if ( ! in_array( $name, SWAP_WIDGET_SWITCHES, true ) ) {
			$attributes[ $name ] = $value;
		} elseif ( ! in_array( strtolower( $value ), array( 'false', 'no', '0' ), true ) ) {
			$attributes[ $name ] = true;
		}
	}
	if ( '' !== $settings['more'] ) {
		wp_enqueue_script_module( 'swap-widget-page' );
		$attributes['data-swap-widget-more'] = $settings['more'];
	}

	$html = '<swap-widget class="swap-widget-of-plugin"';
	foreach ( $attributes as $name => $value ) {
		if ( true === $value ) {
			$html .= ' ' . $name;
		} elseif ( '' !== $value ) {
			$html .= sprintf( ' %s="%s"', $name, esc_attr( $value ) );
		}
	}
	$noscript = esc_html__( 'Swapping here needs JavaScript.', 'swap-widget' );
	return $html . '>' . swap_widget_first_paint( $attributes ) . "<noscript>$noscript</noscript></swap-widget>";
}

/** The placeholder before the plugin is set up: a hint for those who can do so, nothing for others. */
function swap_widget_missing(): string {
	if ( ! current_user_can( 'manage_options' ) ) {
		return '';
	}
	return sprintf(
		'<p><a href="%s">%s</a></p>',
		esc_url( admin_url( 'options-general.php?page=swap-widget' ) ),
		esc_html__( 'The swap widget needs the address of a service. Only administrators see this line.', 'swap-widget' )
	);
}

/**
 * The form before its script has run, if the widget's own files have it: its first pair, in the page's language.
 *
 * @param array $attributes The element's.
 */
function swap_widget_first_paint( array $attributes ): string {
	$drawn  = array( 'base-url', 'app-id', 'affiliate-fees', 'rpc', 'from', 'to', 'theme', 'lang' );
	$others = array_diff( array_keys( array_filter( $attributes ) ), $drawn );
	$pair   = array( $attributes['from'] ?? '', $attributes['to'] ?? '' );
	if ( $others || array( 'bitcoin:btc', 'base:cbbtc' ) !== $pair ) {
		return '';
	}
	$language = substr( $attributes['lang'] ?? get_locale(), 0, 2 );
	$version  = require __DIR__ . '/widget/version.php';
	$file     = __DIR__ . "/widget/$version/first-paint/$language.html";
	return ctype_alpha( $language ) && is_readable( $file ) ? file_get_contents( $file ) : '';
}
