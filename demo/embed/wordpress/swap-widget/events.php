<?php
/**
 * POST /wp-json/swap-widget/v1/events: what a follower (`swap-widget/server`) saw on the chains, signed as Standard
 * Webhooks 1.0 says. An order of WooCommerce is paid by such an event alone: a page, or who knows an order's id, pays
 * nothing. It is there if `wp-config.php` defines SWAP_WIDGET_WEBHOOK_SECRET, which the follower has, too.
 *
 * @package swap-widget
 */

defined( 'ABSPATH' ) || exit;

/** How far the clocks of follower and site may be apart, in seconds. An older event is no longer taken. */
const SWAP_WIDGET_WEBHOOK_SECONDS = 300;

add_action( 'rest_api_init', 'swap_widget_register_events' );

/** Registers the route, if there is a secret. */
function swap_widget_register_events() {
	if ( ! defined( 'SWAP_WIDGET_WEBHOOK_SECRET' ) ) {
		return;
	}
	register_rest_route(
		'swap-widget/v1',
		'/events',
		array(
			'methods'             => 'POST',
			'callback'            => 'swap_widget_receive_event',
			// The signature says who sends it.
			'permission_callback' => '__return_true',
		)
	);
}

/**
 * Takes an event: 204, also if it pays nothing, since the follower repeats what is not taken.
 *
 * @param WP_REST_Request $request The follower's.
 */
function swap_widget_receive_event( WP_REST_Request $request ) {
	list( $id, $at, $signatures ) = array_map(
		fn( $name ) => (string) $request->get_header( "webhook-$name" ),
		array( 'id', 'timestamp', 'signature' )
	);
	$event = swap_widget_read_event( $request->get_body(), $id, $at, $signatures, SWAP_WIDGET_WEBHOOK_SECRET, time() );
	if ( null === $event ) {
		return new WP_Error( 'swap_widget_unsigned', 'Nothing that the follower signed in the last minutes.', array( 'status' => 401 ) );
	}
	if ( 'swap.paid' === $event['type'] && function_exists( 'wc_get_order' ) ) {
		swap_widget_pay_order( $event['data'] );
	}
	/** For other shops. It may run more than once for the same event. */
	do_action( 'swap_widget_event', $event );
	return new WP_REST_Response( null, 204 );
}

/**
 * An event with its `type` and `data`; null if it was not signed with this secret, or not at this time.
 *
 * @param string $body       As received.
 * @param string $id         The header `webhook-id`.
 * @param string $at         The header `webhook-timestamp`: seconds since 1970.
 * @param string $signatures The header `webhook-signature`: one or several, between spaces.
 * @param string $secret     `whsec_` and 24 to 64 bytes in base64.
 * @param int    $now        Seconds since 1970.
 */
function swap_widget_read_event( string $body, string $id, string $at, string $signatures, string $secret, int $now ): ?array {
	$key    = 0 === strpos( $secret, 'whsec_' ) ? base64_decode( substr( $secret, 6 ), true ) : false;
	$is_now = preg_match( '/^\d{1,12}$/D', $at ) && abs( $now - (int) $at ) <= SWAP_WIDGET_WEBHOOK_SECONDS;
	if ( false === $key || strlen( $key ) < 24 || '' === $id || ! $is_now ) {
		return null;
	}
	$right     = 'v1,' . base64_encode( hash_hmac( 'sha256', "$id.$at.$body", $key, true ) );
	$is_signed = false;
	foreach ( explode( ' ', $signatures ) as $signature ) {
		$is_signed = hash_equals( $right, $signature ) || $is_signed;
	}
	$event = $is_signed ? json_decode( $body, true ) : null;
	return is_string( $event['type'] ?? null ) && is_array( $event['data'] ?? null ) ? $event : null;
}

/**
 * Notes on an order of WooCommerce what pays for it. Until then no event does.
 *
 * @param WC_Order $order    The order, whose id is the follower's `reference`.
 * @param array    $expected `asset`, `recipient` (an address for this order alone) and `atLeast` (digits, in the
 *                           asset's smallest unit), as the follower has them.
 */
function swap_widget_expect( $order, array $expected ) {
	$order->update_meta_data( '_swap_widget_expected', $expected );
	$order->save();
}

/**
 * Pays the order that an event names, if the chain shows what was expected, and no other order was paid with it.
 *
 * @param array $data The verified order.
 */
function swap_widget_pay_order( array $data ) {
	$order    = is_string( $data['reference'] ?? null ) && ctype_digit( $data['reference'] ) ? wc_get_order( $data['reference'] ) : false;
	$expected = $order ? $order->get_meta( '_swap_widget_expected' ) : '';
	if ( ! is_array( $expected ) || ! $order->needs_payment() || ! swap_widget_is_paid( $data, $expected ) ) {
		return;
	}
	if ( swap_widget_claim( $data['paymentKey'], (string) $order->get_id() ) ) {
		$order->payment_complete( $data['paymentKey'] );
	}
}

/**
 * Whether the recipient's chain proves at least what was expected. That it is the very token, the follower has compared
 * (`differs`); its chain is compared here again.
 *
 * @param array $data     The verified order.
 * @param array $expected As in `swap_widget_expect`.
 */
function swap_widget_is_paid( array $data, array $expected ): bool {
	$paid    = is_array( $data['paidOut'] ?? null ) ? $data['paidOut'] : array();
	$key     = $data['paymentKey'] ?? null;
	$chain   = strtok( (string) ( $expected['asset'] ?? '' ), ':' );
	$account = array( (string) ( $paid['account'] ?? '' ), (string) ( $expected['recipient'] ?? '' ) );
	// Hex has two ways to write an address; in others, case tells addresses apart.
	if ( 2 === count( preg_grep( '/^0x[0-9a-f]+$/Di', $account ) ) ) {
		$account = array_map( 'strtolower', $account );
	}
	return true === ( $data['isPaid'] ?? null )
		&& array() === ( $data['differs'] ?? null )
		&& 'proved' === ( $paid['certainty'] ?? null )
		&& is_string( $key ) && '' !== (string) $chain && 0 === strpos( $key, "$chain:" )
		&& '' !== $account[0] && $account[0] === $account[1]
		&& swap_widget_covers( $paid['amount'] ?? null, $expected['atLeast'] ?? null );
}

/**
 * Whether an amount is at least another one, both digits of any length.
 *
 * @param mixed $amount What was paid.
 * @param mixed $least  What is wanted: more than nothing.
 */
function swap_widget_covers( $amount, $least ): bool {
	if ( ! is_string( $amount ) || ! is_string( $least ) || ! ctype_digit( $amount ) || ! ctype_digit( $least ) ) {
		return false;
	}
	list( $amount, $least ) = array( ltrim( $amount, '0' ), ltrim( $least, '0' ) );
	$longer                 = strlen( $amount ) - strlen( $least );
	return '' !== $least && ( $longer > 0 || ( 0 === $longer && strcmp( $amount, $least ) >= 0 ) );
}

/**
 * Keeps a payment for an order. False if it is another's: the database has one row for each, however many ask at once.
 *
 * @param string $key   The event's `paymentKey`.
 * @param string $order The order's id.
 */
function swap_widget_claim( string $key, string $order ): bool {
	global $wpdb;
	$name = 'swap_widget_payment_' . hash( 'sha256', $key );
	// As WordPress takes its own locks: `add_option` would write over what came in between.
	$wpdb->query( $wpdb->prepare( "INSERT IGNORE INTO $wpdb->options (option_name, option_value, autoload) VALUES (%s, %s, 'no')", $name, $order ) );
	return $order === $wpdb->get_var( $wpdb->prepare( "SELECT option_value FROM $wpdb->options WHERE option_name = %s", $name ) );
}
